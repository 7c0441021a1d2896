// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Paces a puller like a device: calculates when the next block is due, without drift.
///
/// Blocks follow each other on a grid counted in frames from the start of pulling; time without frames to pull does
/// not count.
struct Pacer {
    /// The maximum delay that is caught up; a longer one (the machine was suspended) is skipped.
    static let longestCatchUp: Duration = .milliseconds(200)

    let format: AudioFormat
    private var origin: Duration?
    private var frames: Int64 = 0

    init(format: AudioFormat) { self.format = format }

    /// Returns the time to wait at `now` before the next block; `zero` or less if it is due.
    func delay(at now: Duration) -> Duration {
        guard let origin else { return .zero }
        return origin + format.duration(ofFrames: frames) - now
    }

    /// Records that a block was pulled at `now`.
    mutating func didPull(_ count: Int, at now: Duration) {
        if origin == nil || delay(at: now) < .zero - Self.longestCatchUp {
            origin = now
            frames = 0
        }
        frames += Int64(count)
    }

    /// Records that no frames were available: the grid restarts with the next block.
    mutating func pause(at now: Duration) {
        if delay(at: now) <= .zero { origin = nil }
    }
}
