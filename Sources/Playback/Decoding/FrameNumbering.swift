// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine

/// The version of an item, since it was opened or sought, that the numbers of frames belong to. The numbers of another
/// one are unrelated.
struct FrameNumbering: Sendable, Hashable, Comparable {
    var generation: UInt32
    /// The version of the item, as in `FrameRun.version`.
    var version: UInt16 = 0

    static func < (one: FrameNumbering, other: FrameNumbering) -> Bool {
        (one.generation, one.version) < (other.generation, other.version)
    }
}

extension FrameRun {
    var numbering: FrameNumbering { FrameNumbering(generation: generation, version: version) }
}

extension RenderedTimeline.Position {
    var numbering: FrameNumbering { FrameNumbering(generation: generation, version: version) }
}
