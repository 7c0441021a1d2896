// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// When a device plays which frame: a pure value that is given, now and then, the number of frames heard so far.
///
/// While they get more, the frames lie on a line in time. While they do not (the device starts, is paused, idle or
/// lost) nothing is learned, and the line is drawn as if the device went on at the latest look.
struct HeardLine: Sendable {
    /// A device that counts in steps stands still for less than this between two of them.
    static let longestStep: Duration = .milliseconds(50)
    /// Closer to the line than this is jitter, of which an eighth is believed.
    static let jitter: Duration = .milliseconds(2)

    let format: AudioFormat
    /// Frames heard at the latest look.
    private(set) var heard: Int64 = 0
    /// A frame and the moment it is heard at.
    private(set) var point: AudioTimeStamp
    /// Whether the device plays.
    private(set) var isMoving = false
    private var movedAt: HostTime
    /// Looks since the line was drawn, and those of them that agreed with it.
    private var looks = (all: 0, agreeing: 0)

    init(format: AudioFormat, at now: HostTime) {
        self.format = format
        point = AudioTimeStamp(sampleTime: 0, hostTime: now)
        movedAt = now
    }

    mutating func look(_ frames: Int64, at now: HostTime) {
        guard frames > heard else {
            if !isMoving || now.duration(since: movedAt) > Self.longestStep { standStill(at: now) }
            return
        }
        (heard, movedAt) = (frames, now)
        let error = isMoving ? error(at: now) : nil
        count(error)
        isMoving = true
        point = AudioTimeStamp(sampleTime: frames, hostTime: error.map { now.advanced(by: $0) } ?? now)
    }

    /// The device was stopped, or stopped by itself.
    mutating func standStill(at now: HostTime) {
        isMoving = false
        point = AudioTimeStamp(sampleTime: heard, hostTime: now)
    }

    private mutating func count(_ error: Duration?) {
        guard let error else {
            looks = (all: 0, agreeing: 0)
            return
        }
        looks.all += 1
        if error > .zero - Self.jitter { looks.agreeing += 1 }
    }

    /// Whether the line can be relied on: what a device says first is not always right.
    var isSteady: Bool { isMoving && (looks.agreeing >= 3 || looks.all >= 10) }

    /// When a frame is heard.
    func moment(of frame: Int64) -> HostTime { point.hostTime(at: frame, sampleRate: format.sampleRate) }

    /// By how much the line stays apart from what was seen at `now`; `nil` where it is drawn anew. Of a device that
    /// counts in steps the earliest frames are right, so what comes early is believed sooner.
    private func error(at now: HostTime) -> Duration? {
        let late = now.duration(since: moment(of: heard))
        guard late > .zero - Self.jitter, late < Self.longestStep else { return nil }
        return .zero - late * 7 / 8
    }
}
