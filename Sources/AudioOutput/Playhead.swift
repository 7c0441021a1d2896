// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Which frame is heard: those pulled, less those still on their way to the ear.
///
/// A device tells now and then how many those are; in between the clock is asked. Where the device does not really
/// play (prebuffering, corked, suspended, run dry) the playhead stands still: a device's own clock runs on there.
struct Playhead {
    /// What a device said about itself.
    struct Reading: Equatable {
        /// Frames that wait for the device to take them.
        var queued: Int64
        /// How long it takes until a frame the device takes now is heard.
        var latency: Duration
        var isPlaying: Bool
    }

    /// A reading this old says nothing about now. A little more than the longest time between two.
    static let longestExtrapolation: Duration = .milliseconds(1600)

    let format: AudioFormat
    /// Frames pulled, less those thrown away.
    private(set) var pulled: Int64
    private var reported: Int64
    /// `nil` while it stands still.
    private var anchor: Anchor?

    private struct Anchor {
        var heard: Int64
        var time: Duration
        /// Frames from here on do not follow without a break; `nil` where all that is pulled will.
        var limit: Int64?
    }

    /// - Parameter frame: how many frames were heard before this device.
    init(format: AudioFormat, at frame: Int64 = 0) {
        self.format = format
        (pulled, reported) = (frame, frame)
    }

    mutating func didPull(_ frames: Int) { pulled += Int64(frames) }

    /// Frames heard at `now`; never more than pulled, never fewer than it said before.
    mutating func heard(at now: Duration) -> Int64 {
        guard let anchor else { return reported }
        let elapsed = min(max(now - anchor.time, .zero), Self.longestExtrapolation)
        let heard = anchor.heard + format.frames(in: elapsed)
        reported = max(reported, min(heard, anchor.limit ?? pulled))
        return reported
    }

    mutating func read(_ reading: Reading, at now: Duration) {
        _ = heard(at: now)
        let taken = pulled - reading.queued
        if reading.isPlaying {
            let heard = taken - format.frames(in: reading.latency)
            anchor = Anchor(heard: heard, time: now, limit: reading.queued > 0 ? nil : taken)
        } else {
            anchor?.limit = max(reported, taken)
        }
    }

    /// The device has taken all there was: what it holds is still heard, what follows will come after a break.
    mutating func runDry(at now: Duration) {
        _ = heard(at: now)
        anchor?.limit = pulled
    }

    mutating func standStill(at now: Duration) {
        _ = heard(at: now)
        anchor = nil
    }

    /// All that was pulled and not heard was thrown away.
    mutating func flush(at now: Duration) {
        standStill(at: now)
        pulled = reported
    }

    /// All that was pulled is heard.
    mutating func finish() {
        reported = pulled
        anchor = nil
    }
}
