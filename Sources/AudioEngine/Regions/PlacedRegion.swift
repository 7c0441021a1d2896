// SPDX-License-Identifier: GPL-3.0-or-later

/// A region with its place on the player's timeline. All frames are the player's, unless it is said otherwise.
struct PlacedRegion: Sendable {
    typealias Handler = @Sendable (RegionCompletion) -> Void

    let id: RegionID
    let file: ScheduledFile
    /// Where its first pass begins, exactly.
    let exactStart: ExactFrame
    /// Where it would end if nothing came between; `nil` is never.
    let exactEnd: ExactFrame?

    /// The reader's frame each pass begins with.
    private let readerFrame: Int64
    /// Frames of the file in one pass.
    private let passLength: Int64
    private let ratio: RateRatio

    /// The frame nothing of it is heard from on; `Int64.max` where it is repeated for ever.
    private(set) var end: Int64
    private(set) var reason = RegionCompletion.Reason.finished
    /// The kinds of completion still to be told.
    var awaited: Set<RegionCompletion.Kind>
    let handler: Handler

    var start: Int64 { exactStart.rounded }
    /// Nothing of it will be heard because another one took its place from its first frame on.
    var isReplaced: Bool { reason == .superseded && end <= start }

    init(
        _ stretch: RegionStretch, id: RegionID, at start: ExactFrame, awaited: Set<RegionCompletion.Kind>,
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

    /// What is heard at a frame of it, as far as it goes on without a jump.
    func piece(at frame: Int64) -> TimelinePiece {
        let pass = exactStart.pass(at: frame, length: passLength, of: ratio)
        let first = exactStart.adding(pass * passLength, of: ratio).rounded
        let next = exactStart.adding((pass + 1) * passLength, of: ratio).rounded
        return TimelinePiece(
            sound: TimelinePiece.Sound(
                region: id, file: file, readerFrame: readerFrame + frame - first, isConverted: !ratio.isOne),
            end: min(end, next))
    }

    /// Nothing of it is heard from `frame` on.
    mutating func cut(at frame: Int64, because reason: RegionCompletion.Reason) {
        guard frame < end else { return }
        end = max(frame, start)
        self.reason = reason
    }

    func completion(_ kind: RegionCompletion.Kind, because reason: RegionCompletion.Reason) -> RegionCompletion {
        RegionCompletion(region: id, kind: kind, reason: reason, frame: end)
    }
}

/// What is heard from a frame on, up to `end`.
struct TimelinePiece: Sendable {
    struct Sound: Sendable {
        let region: RegionID
        let file: ScheduledFile
        /// The frame of the file's reader that is heard first.
        let readerFrame: Int64
        /// The file's rate is another one than the player's.
        let isConverted: Bool
    }

    /// `nil` is silence.
    let sound: Sound?
    let end: Int64
}
