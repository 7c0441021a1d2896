// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// The times at which a device plays its frames: a pure value that is updated with the number of frames played so
/// far.
///
/// While the number grows, the frames lie on a line in time. While it does not (the device starts, is paused, idle or
/// lost) the line is drawn as if the device resumed at the latest update.
struct DeviceTimeline: Sendable {
    /// The longest pause between two updates of a device that counts in steps.
    static let longestStep: Duration = .milliseconds(50)
    /// A smaller deviation from the line is jitter, of which an eighth is applied.
    static let jitter: Duration = .milliseconds(2)

    let format: AudioFormat
    /// The number of frames played at the latest update.
    private(set) var playedFrames: Int64 = 0
    /// A frame and the time at which it is played.
    private(set) var point: AudioTimeStamp
    /// True if the device plays.
    private(set) var isMoving = false
    private var movedAt: HostTime
    /// The number of updates since the line was drawn, and the number of those that agreed with it.
    private var looks = (all: 0, agreeing: 0)

    init(format: AudioFormat, at now: HostTime) {
        self.format = format
        point = AudioTimeStamp(sampleTime: 0, hostTime: now)
        movedAt = now
    }

    mutating func update(_ frames: Int64, at now: HostTime) {
        guard frames > playedFrames else {
            if !isMoving || now.duration(since: movedAt) > Self.longestStep { recordStop(at: now) }
            return
        }
        (playedFrames, movedAt) = (frames, now)
        let error = isMoving ? error(at: now) : nil
        count(error)
        isMoving = true
        point = AudioTimeStamp(sampleTime: frames, hostTime: error.map { now.advanced(by: $0) } ?? now)
    }

    /// Records that the device stopped or was stopped.
    mutating func recordStop(at now: HostTime) {
        isMoving = false
        point = AudioTimeStamp(sampleTime: playedFrames, hostTime: now)
    }

    private mutating func count(_ error: Duration?) {
        guard let error else {
            looks = (all: 0, agreeing: 0)
            return
        }
        looks.all += 1
        if error > .zero - Self.jitter { looks.agreeing += 1 }
    }

    /// True if the line is reliable: the first updates of a device are not always correct.
    var isSteady: Bool { isMoving && (looks.agreeing >= 3 || looks.all >= 10) }

    /// Returns the time at which a frame is played.
    func moment(of frame: Int64) -> HostTime { point.hostTime(at: frame, sampleRate: format.sampleRate) }

    /// Returns the deviation to keep between the line and the update at `now`; `nil` if the line must be drawn again.
    /// The earliest frames of a device that counts in steps are correct, so early updates are applied sooner.
    private func error(at now: HostTime) -> Duration? {
        let late = now.duration(since: moment(of: playedFrames))
        guard late > .zero - Self.jitter, late < Self.longestStep else { return nil }
        return .zero - late * 7 / 8
    }
}
