// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Keeps a puller to the pace of a device: says when the next block is due, without drift.
///
/// Blocks follow each other on a grid that is counted in frames from where the pulling began; time in which nothing
/// could be pulled does not count.
struct Pacer {
    /// Who comes this much too late (the machine slept) does not catch up.
    static let longestCatchUp: Duration = .milliseconds(200)

    let format: AudioFormat
    private var origin: Duration?
    private var frames: Int64 = 0

    init(format: AudioFormat) { self.format = format }

    /// How long to wait at `now` before the next block; `zero` or less when it is due.
    func delay(at now: Duration) -> Duration {
        guard let origin else { return .zero }
        return origin + format.duration(ofFrames: frames) - now
    }

    /// A block was pulled at `now`.
    mutating func didPull(_ count: Int, at now: Duration) {
        if origin == nil || delay(at: now) < .zero - Self.longestCatchUp {
            origin = now
            frames = 0
        }
        frames += Int64(count)
    }

    /// There was nothing to pull: the grid begins anew with the next block.
    mutating func pause(at now: Duration) {
        if delay(at: now) <= .zero { origin = nil }
    }
}
