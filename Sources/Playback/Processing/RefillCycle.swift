// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The levels between which the ring is filled with processed sound. To process a lot of sound twice a second costs
/// less time than to process a little of it in each round. A pure value.
struct RefillCycle: Sendable {
    /// The number of frames in the ring at which it is full: 1 s. The rest of what it could hold is not processed yet.
    let end: Int
    /// The number of frames at which a round of the playback thread fills the ring again: 0.6 s. Rounds come four times
    /// a second anyway, so it is mostly filled at 0.5 s.
    let start: Int
    /// The number of frames at which the playback thread is woken for it: 0.4 s.
    let wake: Int
    private var isFull = false

    init(_ format: AudioFormat) {
        end = Int(format.frames(in: .seconds(1)))
        (start, wake) = (end * 3 / 5, end * 2 / 5)
    }

    /// Returns true if the ring, which contains `frames` frames, must be filled.
    mutating func isDue(at frames: Int) -> Bool {
        isFull = frames > (isFull ? start : end - 1)
        return !isFull
    }
}
