// SPDX-License-Identifier: GPL-3.0-or-later

/// Which frame of a file comes next: the place, the direction and the loop. Pure arithmetic; what it says comes next
/// does not depend on how much is asked for at once.
///
/// A place is the boundary between two frames: from `frame` on forward, frame number `frame` comes next, backward the
/// one before it. So a change of direction goes back over just what was played.
struct StreamPath: Equatable, Sendable {
    /// No place lies behind this one, so that no sum overflows.
    static var limit: Int64 { 1 << 56 }

    private(set) var frame: Int64 = 0
    private(set) var direction = PlayDirection.forward
    private(set) var loop: StreamLoop?
    /// How often the present loop, or the last one, was gone back over ...
    private(set) var repeats = 0
    /// ... and how often any was.
    private(set) var wraps = 0
    /// The file has nothing further.
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

    /// The loop was set where it is gone back from at once.
    var isAtTurn: Bool { loop?.isTurn(frame, direction) ?? false }

    // MARK: The way

    /// Frames that follow one another in the file.
    struct Stretch: Equatable {
        /// The boundary at which it begins.
        let frame: Int64
        let count: Int
        let direction: PlayDirection
        /// What it changes into meanwhile.
        let fade: Fade?

        /// The boundary `frames` further on.
        func place(after frames: Int) -> Int64 { frame + direction.sign * Int64(frames) }
    }

    /// The part of a crossfade that a stretch is.
    struct Fade: Equatable {
        /// What is added to a place to come to that of the sound that fades in.
        let offset: Int64
        /// Which frame of the crossfade comes first, `0..<length`.
        let first: Int64
        let length: Int64
    }

    /// What comes next, at most `limit` frames of it, or `nil` at the end. It is passed by `move`.
    mutating func nextStretch(upTo limit: Int) -> Stretch? {
        guard limit > 0 else { return nil }
        if let loop, isAtTurn, !pass(loop) { return nil }
        let (ahead, fade) = framesAhead
        guard ahead > 0, !hasEnded else { return nil }
        return Stretch(frame: frame, count: Int(min(Int64(limit), ahead)), direction: direction, fade: fade)
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

    /// The file was found to have no frame from `end` on.
    mutating func fileEnds(at end: Int64) {
        frame = min(frame, end)
        if var loop, end > loop.start {
            loop.end = min(loop.end, end)
            self.loop = loop
        } else if loop != nil || direction == .forward {
            hasEnded = true
        }
    }

    /// Goes back over the loop, or on after its last pass.
    /// - Returns: whether anything comes after it.
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

    /// How many frames come before anything changes, and what fades in over them.
    private var framesAhead: (Int64, Fade?) {
        guard let loop else { return (direction == .forward ? Self.limit - frame : frame, nil) }
        let untilTurn = direction == .forward ? loop.end - frame : frame - loop.start
        let fade = isLast(loop) ? 0 : loop.fadeLength
        guard untilTurn <= fade else { return (untilTurn - fade, nil) }
        let offset = -direction.sign * loop.length
        return (untilTurn, Fade(offset: offset, first: fade - untilTurn, length: fade))
    }
}
