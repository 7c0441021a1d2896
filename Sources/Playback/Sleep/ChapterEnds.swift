// SPDX-License-Identifier: GPL-3.0-or-later

/// The position in an item and the ends of its chapters, in source frames. A pure value.
struct ChapterEnds: Sendable, Equatable {
    /// A seek that lands so little before the end of a chapter is meant for the next one: times are rounded to frames
    /// at different sample rates, and a chapter of a few frames would hold the sound before it starts.
    static let tolerance = Duration.milliseconds(20)

    /// The numbering of the frames; a seek and another version change it.
    var numbering: FrameNumbering
    /// The number of a frame less the number that it had in the version before.
    var shift: Int64 = 0
    /// The first frame that counts: that of the generation, with the tolerance.
    var start: Int64
    /// The frame being played.
    var position: Int64
    /// The first frame after each chapter but the last one, which ends with the item; ascending.
    var frames: [Int64]

    /// Returns the number of a frame in this numbering; `nil` if it is of neither this version nor the one before.
    func frame(_ frame: Int64, in other: FrameNumbering) -> Int64? {
        if other == numbering { return frame }
        return other.generation == numbering.generation && other.version &+ 1 == numbering.version ? frame + shift : nil
    }
}
