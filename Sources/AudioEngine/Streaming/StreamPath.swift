// SPDX-License-Identifier: GPL-3.0-or-later

/// The order in which the frames of a file play: the position, the direction and the loop. It is pure arithmetic, and
/// its result does not depend on the number of frames requested per call.
///
/// A position is the boundary between two frames: forward from `frame`, frame number `frame` comes next; backward,
/// the frame before it. So a change of direction plays exactly the frames that were just played.
struct StreamPath: Equatable, Sendable {
    /// The limit of all positions, so that no sum overflows.
    static var limit: Int64 { 1 << 56 }

    private(set) var frame: Int64 = 0
    private(set) var direction = PlayDirection.forward
    private(set) var loop: StreamLoop?
    /// The number of times that playback jumped back over the present loop, or the last one.
    private(set) var repeats = 0
    /// The number of times that playback jumped back over any loop.
    private(set) var wraps = 0
    /// True if the file has no further frames.
    private(set) var hasEnded = false

    // MARK: Orders

    mutating func seek(to frame: Int64) {
        self.frame = frame
        hasEnded = false
    }

    mutating func turn(_ direction: PlayDirection, at frame: Int64) {
        self.direction = direction
        seek(to: min(max(0, frame), Self.limit))
    }

    mutating func setLoop(_ loop: StreamLoop?) {
        self.loop = loop
        repeats = 0
        hasEnded = false
    }

    /// True if playback jumps back over the loop immediately.
    var isAtTurn: Bool { loop?.isTurn(frame, direction) ?? false }

    // MARK: Moving

    /// A run of frames that follow one another in the file.
    struct FrameSpan: Equatable {
        /// The boundary at which the stretch begins.
        let frame: Int64
        let count: Int
        let direction: PlayDirection
        /// The crossfade during the stretch, if any.
        let fade: Fade?

        /// Returns the boundary `frames` frames further on.
        func place(after frames: Int) -> Int64 { frame + direction.sign * Int64(frames) }
    }

    /// The part of a crossfade that a stretch covers.
    struct Fade: Equatable {
        /// The distance from a position to the position of the sound that fades in.
        let offset: Int64
        /// The index of the first frame in the crossfade, `0..<length`.
        let first: Int64
        let length: Int64
    }

    /// Returns the next frames, at most `limit` of them, or `nil` at the end. `move` passes them.
    mutating func nextStretch(upTo limit: Int) -> FrameSpan? {
        guard limit > 0 else { return nil }
        if let loop, isAtTurn, !pass(loop) { return nil }
        let (ahead, fade) = framesAhead
        guard ahead > 0, !hasEnded else { return nil }
        return FrameSpan(frame: frame, count: Int(min(Int64(limit), ahead)), direction: direction, fade: fade)
    }

    mutating func move(by frames: Int) { frame += direction.sign * Int64(frames) }

    /// Passes the next `frames` frames, or as many as there are.
    mutating func skip(_ frames: Int) {
        var rest = frames
        while let stretch = nextStretch(upTo: rest) {
            move(by: stretch.count)
            rest -= stretch.count
        }
    }

    /// Records that the file has no frame from `end` on.
    mutating func fileEnds(at end: Int64) {
        frame = min(frame, end)
        if let loop, end > loop.start {
            loopEnds(at: end)
        } else if loop != nil || direction == .forward {
            hasEnded = true
        }
    }

    /// Ends the loop with the file, if the file ends within it.
    mutating func loopEnds(at end: Int64) {
        guard var loop, end > loop.start else { return }
        loop.end = min(loop.end, end)
        self.loop = loop
    }

    /// Jumps back over the loop, or continues after its last pass.
    /// - Returns: true if frames follow.
    private mutating func pass(_ loop: StreamLoop) -> Bool {
        if !isLast(loop) {
            frame = direction == .forward ? loop.start : loop.end
            repeats += 1
            wraps += 1
        } else if loop.afterwards == .stop {
            return false
        } else {
            self.loop = nil
        }
        return true
    }

    private func isLast(_ loop: StreamLoop) -> Bool { loop.times.map { repeats + 1 >= $0 } ?? false }

    /// The number of frames before the next change, and the crossfade over them.
    private var framesAhead: (Int64, Fade?) {
        guard let loop else { return (direction == .forward ? Self.limit - frame : frame, nil) }
        let untilTurn = direction == .forward ? loop.end - frame : frame - loop.start
        let fade = isLast(loop) ? 0 : loop.fadeLength
        guard untilTurn <= fade else { return (untilTurn - fade, nil) }
        let offset = -direction.sign * loop.length
        return (untilTurn, Fade(offset: offset, first: fade - untilTurn, length: fade))
    }
}
