// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The number of the frame that is played: the pulled frames, minus those still on their way to the output.
///
/// A device occasionally reports the number of frames on their way; between reports the clock is used. While the
/// device does not actually play (prebuffering, corked, suspended, run dry) the playhead stands still, although the
/// device's own clock continues.
struct Playhead {
    /// A report of a device about its queue.
    struct Reading: Equatable {
        /// The number of frames waiting for the device.
        var queued: Int64
        /// The time from consumption by the device until a frame is played.
        var latency: Duration
        var isPlaying: Bool
    }

    /// The longest extrapolation from a reading: slightly more than the longest interval between two readings.
    static let longestExtrapolation: Duration = .milliseconds(1600)

    let format: AudioFormat
    /// The number of pulled frames, minus flushed ones.
    private(set) var pulled: Int64
    private var reported: Int64
    /// The latest reading; `nil` while the playhead stands still.
    private var anchor: Anchor?
    /// The number of frames that the device had consumed at the latest reading or stop.
    private var lastReading: (taken: Int64, time: Duration)?
    /// The time since when the device may consume frames; `nil` while it is stopped.
    private var startTime: Duration?

    private struct Anchor {
        var heard: Int64
        var time: Duration
        /// The first frame that does not follow without a gap; `nil` if all pulled frames do.
        var limit: Int64?
    }

    /// - Parameter frame: The number of frames that were played before this device was opened.
    init(format: AudioFormat, at frame: Int64 = 0) {
        self.format = format
        (pulled, reported) = (frame, frame)
    }

    /// Records pulled frames. They follow after a gap if the device may have played all earlier ones, for example
    /// while the process was stopped.
    /// - Returns: true if only a reading can tell when they are played.
    mutating func didPull(_ frames: Int, at now: Duration) -> Bool {
        let followsGap = frames > 0 && anchor?.limit == nil && heard(at: now).map { $0 >= pulled } ?? false
        if followsGap { anchor?.limit = pulled }
        pulled += Int64(frames)
        return followsGap
    }

    /// Returns the number of frames played at `now`: never more than were pulled, and never less than returned
    /// before.
    mutating func playedFrames(at now: Duration) -> Int64 {
        guard let heard = heard(at: now) else { return reported }
        reported = max(reported, min(heard, anchor?.limit ?? pulled))
        return reported
    }

    /// Returns the frame that is played at `now` if the device has it; `nil` while the playhead stands still.
    private func heard(at now: Duration) -> Int64? {
        guard let anchor else { return nil }
        return anchor.heard + format.frames(in: min(max(now - anchor.time, .zero), Self.longestExtrapolation))
    }

    mutating func read(_ reading: Reading, at now: Duration) {
        _ = playedFrames(at: now)
        let taken = pulled - reading.queued
        if reading.isPlaying {
            let heard = taken - format.frames(in: reading.latency)
            anchor = Anchor(heard: heard, time: now, limit: reading.queued > 0 ? nil : taken)
        } else {
            anchor?.limit = max(reported, taken)
        }
    }

    /// Records a reading that may come while the playhead stands still.
    mutating func recordConsumed(_ reading: Reading, at now: Duration) { lastReading = (pulled - reading.queued, now) }

    /// Returns the number of frames that the device has consumed at `now`, including those it is about to play. Without
    /// a reading since it was started, it may have consumed frames all the time.
    func consumedFrames(at now: Duration) -> Int64 {
        let (taken, time) = lastReading ?? (taken: reported, time: .zero)
        let elapsed = startTime.map { max(now - max(time, $0), .zero) } ?? .zero
        return min(pulled, taken + format.frames(in: elapsed))
    }

    /// Records that the frames from `frame` on were taken back.
    mutating func takeBack(to frame: Int64) {
        pulled = frame
        if let limit = anchor?.limit { anchor?.limit = min(limit, frame) }
    }

    /// Records that the device has consumed all frames: those it holds are still played, later ones follow after a
    /// gap. The report may be older than the last frames, which then follow after the gap as well.
    mutating func recordUnderrun(at now: Duration) {
        _ = playedFrames(at: now)
        if anchor?.limit == nil { anchor?.limit = pulled }
    }

    mutating func recordStart(at now: Duration) { startTime = startTime ?? now }

    mutating func recordStop(at now: Duration) {
        _ = playedFrames(at: now)
        // The device may have consumed frames since the last reading.
        lastReading = (consumedFrames(at: now), now)
        (anchor, startTime) = (nil, nil)
    }

    /// Records that all frames pulled but not played were discarded.
    mutating func flush(at now: Duration) {
        recordStop(at: now)
        (pulled, lastReading) = (reported, nil)
    }

    /// Records that all pulled frames were played.
    mutating func finish() {
        reported = pulled
        (anchor, lastReading) = (nil, nil)
    }
}
