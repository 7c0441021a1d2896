// SPDX-License-Identifier: GPL-3.0-or-later

/// The generations of the frames in the ring: each opened item and each seek gets a new one. A pure value.
struct Generations: Sendable, Equatable {
    private var next: UInt32 = 0
    /// The oldest valid generation; frames of older generations in the ring are stale.
    private(set) var oldest: UInt32 = 0
    /// The generations that the last splice made stale.
    private(set) var splicedAway: Range<UInt32> = 0..<0

    /// Returns a new generation.
    mutating func make() -> UInt32 {
        defer { next += 1 }
        return next
    }

    /// Makes the frames of all generations before `generation` stale.
    mutating func discard(before generation: UInt32) {
        oldest = generation
        splicedAway = 0..<0
    }

    /// Makes the frames of `first` and all later generations so far stale.
    mutating func splice(from first: UInt32) { splicedAway = first..<make() }
}
