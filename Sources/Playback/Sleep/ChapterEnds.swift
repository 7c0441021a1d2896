// SPDX-License-Identifier: GPL-3.0-or-later

/// The position in an item and the ends of its chapters, in source frames. A pure value.
struct ChapterEnds: Sendable, Equatable {
    /// A seek that lands so little before the end of a chapter is meant for the next one: times are rounded to frames
    /// at different sample rates, and a chapter of a few frames would hold the sound before it starts.
    static let tolerance = Duration.milliseconds(20)

    /// The generation of the item's frames; a seek changes it.
    var generation: UInt32
    /// The first frame of this generation, with the tolerance.
    var start: Int64
    /// The frame being played.
    var position: Int64
    /// The first frame after each chapter but the last one, which ends with the item; ascending.
    var frames: [Int64]
}
