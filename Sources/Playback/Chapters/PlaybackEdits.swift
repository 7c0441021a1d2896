// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine

/// The frames of an item that are not played now. A pure value.
struct PlaybackEdits: Sendable, Equatable {
    /// The next part of an item's frames.
    enum Part: Sendable, Equatable {
        /// So many frames are played.
        case played(Int)
        /// So many frames are left out.
        case leftOut(Int)
        /// Nothing is played until the hold is removed.
        case held
    }

    /// The source frame before which playback stops.
    var hold: Int64?
    /// The source frames that are left out, ascending.
    var cuts: [Range<Int64>] = []

    /// Returns what happens to the first of `count` frames.
    func part(from frame: Int64, count: Int) -> Part {
        let end = frame + Int64(count)
        if let hold, hold <= frame { return .held }
        let limit = min(end, hold ?? end)
        guard let cut = cuts.first(where: { $0.upperBound > frame }), cut.lowerBound < limit else {
            return .played(Int(limit - frame))
        }
        guard cut.lowerBound <= frame else { return .played(Int(cut.lowerBound - frame)) }
        return .leftOut(Int(min(limit, cut.upperBound) - frame))
    }

    /// Returns the frame at which playback arrives at a frame: the start of the cut before it if there is one.
    func start(_ frame: Int64) -> Int64 {
        cuts.first { $0.lowerBound < frame && frame <= $0.upperBound }?.lowerBound ?? frame
    }

    /// Returns true if frames of a range were processed differently with `other`.
    func differs(from other: PlaybackEdits?, in range: Range<Int64>) -> Bool {
        let (old, new) = (other?.relevant(in: range) ?? PlaybackEdits(), relevant(in: range))
        return old != new
    }

    private func relevant(in range: Range<Int64>) -> PlaybackEdits {
        PlaybackEdits(
            hold: hold.flatMap { $0 < range.upperBound ? $0 : nil }, cuts: cuts.filter { $0.overlaps(range) })
    }
}

extension [FrameNumbering: PlaybackEdits] {
    /// Returns true if frames after `place` and before `next` were processed differently with `old`.
    /// - Parameter place: `nil` for the start of all items.
    func differ(
        from old: Self, after place: RenderedTimeline.Position?,
        before next: (numbering: FrameNumbering, sourceFrame: Int64)
    ) -> Bool {
        contains { numbering, edits in
            guard place.map({ $0.numbering <= numbering }) ?? true, numbering <= next.numbering else { return false }
            let start = place.flatMap { $0.numbering == numbering ? $0.sourceFrame : nil } ?? 0
            let end = numbering == next.numbering ? next.sourceFrame : .max
            return start < end && edits.differs(from: old[numbering], in: start..<end)
        }
    }
}
