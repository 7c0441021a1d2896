// SPDX-License-Identifier: GPL-3.0-or-later

/// A position on a path between two of its frames, and the rate at which it moves. All values are integers, so many
/// small steps lead to the same position as one large step.
struct StreamCursor: Equatable, Sendable {
    /// One frame, in the unit of `phase` and `step`.
    static var one: Int64 { 1 << 32 }

    var path = StreamPath()
    /// The distance from the path's next frame, `0..<one`.
    private(set) var phase: Int64 = 0
    /// The distance that the cursor moves with each frame of output.
    private(set) var step = Self.one

    /// True if the frames of the path are the frames of output.
    var isPlain: Bool { step == Self.one }
    var rate: Double { Double(step) / Double(Self.one) }

    /// Moves the cursor by `frames` frames of output.
    mutating func advance(by frames: Int) {
        let (steps, rest) = offset(after: frames)
        path.skip(steps)
        phase = rest
    }

    /// Returns the frame of the path, counted from the next one, that precedes output frame number `frames`, and the
    /// distance from it.
    func offset(after frames: Int) -> (frame: Int, phase: Int64) {
        let sum = phase + Int64(frames) * step
        return (Int(sum >> 32), sum & (Self.one - 1))
    }

    /// Sets the rate.
    /// - Parameter rate: 0.25...4. At 1 the cursor snaps to a frame.
    mutating func setRate(_ rate: Double) {
        step = Int64((rate * Double(Self.one)).rounded())
        if isPlain { phase = 0 }
    }

    mutating func seek(to frame: Int64) {
        path.seek(to: frame)
        phase = 0
    }

    /// Changes the direction, so that the frame played last plays next.
    mutating func turn(_ direction: PlayDirection) {
        guard direction != path.direction else { return }
        // The distance from the path's position, counted forward in boundaries, to the point where playback in the
        // new direction begins with the frames that were just played.
        let back = direction == .backward ? phase + Self.one - step : step - Self.one - phase
        let floor = back >> 32
        let rest = back & (Self.one - 1)
        let ceiling = rest == 0 ? floor : floor + 1
        let place = path.frame + (direction == .backward ? ceiling : floor)
        phase = direction == .backward ? (ceiling << 32) - back : rest
        path.turn(direction, at: place)
    }
}
