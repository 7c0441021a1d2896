// SPDX-License-Identifier: GPL-3.0-or-later

/// A region with its position on the player's timeline. All frames are the player's, unless noted otherwise.
struct PlacedRegion: Sendable {
    typealias Handler = @Sendable (RegionCompletion) -> Void

    let id: RegionID
    let file: ScheduledFile
    /// The exact start of the first pass.
    let exactStart: ExactFrame
    /// The exact end if no other region interrupts this one; `nil` if it repeats without end.
    let exactEnd: ExactFrame?

    /// The reader's frame at which each pass begins.
    private let readerFrame: Int64
    /// The number of the file's frames in one pass.
    private let passLength: Int64
    private let ratio: RateRatio

    /// The frame at which the region stops playing; `Int64.max` if it repeats without end.
    private(set) var end: Int64
    private(set) var reason = RegionCompletion.Reason.finished
    /// The kinds of completion that are not yet delivered.
    var awaited: Set<RegionCompletion.Kind>
    let handler: Handler

    var start: Int64 { exactStart.rounded }
    /// True if the region never plays, because another one replaced it from its first frame on.
    var isReplaced: Bool { reason == .superseded && end <= start }

    init(
        _ stretch: ValidatedRegion, id: RegionID, at start: ExactFrame, awaited: Set<RegionCompletion.Kind>,
        handler: @escaping Handler
    ) {
        self.id = id
        file = stretch.file
        ratio = stretch.ratio
        passLength = stretch.frames
        readerFrame = ratio.frame(of: stretch.startFrame)
        exactStart = start
        exactEnd = stretch.end(from: start)
        end = exactEnd?.rounded ?? .max
        self.awaited = awaited
        self.handler = handler
    }

    /// Returns the part of the region that plays from `frame` up to the next jump.
    func piece(at frame: Int64) -> TimelineSegment {
        let pass = exactStart.pass(at: frame, length: passLength, of: ratio)
        let first = exactStart.adding(pass * passLength, of: ratio).rounded
        let next = exactStart.adding((pass + 1) * passLength, of: ratio).rounded
        return TimelineSegment(
            sound: TimelineSegment.Sound(
                region: id, file: file, readerFrame: readerFrame + frame - first, isConverted: !ratio.isOne),
            end: min(end, next))
    }

    /// Ends the region at `frame`.
    mutating func cut(at frame: Int64, because reason: RegionCompletion.Reason) {
        guard frame < end else { return }
        end = max(frame, start)
        self.reason = reason
    }

    func completion(_ kind: RegionCompletion.Kind, because reason: RegionCompletion.Reason) -> RegionCompletion {
        RegionCompletion(region: id, kind: kind, reason: reason, frame: end)
    }
}

/// A part of the timeline without a jump, up to `end`.
struct TimelineSegment: Sendable {
    struct Sound: Sendable {
        let region: RegionID
        let file: ScheduledFile
        /// The frame of the file's reader that plays first.
        let readerFrame: Int64
        /// True if the file's rate differs from the player's.
        let isConverted: Bool
    }

    /// The sound; `nil` is silence.
    let sound: Sound?
    let end: Int64
}
