// SPDX-License-Identifier: GPL-3.0-or-later

/// A place on a path between two of its frames, and the rate at which it moves: whole numbers throughout, so that any
/// number of small steps leads where one large one does.
struct StreamCursor: Equatable, Sendable {
    /// One frame, in the unit of `phase` and `step`.
    static var one: Int64 { 1 << 32 }

    var path = StreamPath()
    /// How far beyond the path's next frame it is, `0..<one`.
    private(set) var phase: Int64 = 0
    /// By how much each frame of output moves it.
    private(set) var step = Self.one

    /// The frames of the path are the frames of output.
    var isPlain: Bool { step == Self.one }
    var rate: Double { Double(step) / Double(Self.one) }

    /// Moves by that many frames of output.
    mutating func advance(by frames: Int) {
        let (steps, rest) = offset(after: frames)
        path.skip(steps)
        phase = rest
    }

    /// Which frame of the path, counted from the next one, lies before output frame number `frames`, and how far.
    func offset(after frames: Int) -> (frame: Int, phase: Int64) {
        let sum = phase + Int64(frames) * step
        return (Int(sum >> 32), sum & (Self.one - 1))
    }

    /// - Parameter rate: 0.25...4. At 1 it snaps to a frame.
    mutating func setRate(_ rate: Double) {
        step = Int64((rate * Double(Self.one)).rounded())
        if isPlain { phase = 0 }
    }

    mutating func seek(to frame: Int64) {
        path.seek(to: frame)
        phase = 0
    }

    /// What was heard last is heard next, from there on the other way.
    mutating func turn(_ direction: PlayDirection) {
        guard direction != path.direction else { return }
        // In boundaries forward from the path's place: where backward begins what forward has just passed, or the
        // other way round.
        let back = direction == .backward ? phase + Self.one - step : step - Self.one - phase
        let floor = back >> 32
        let rest = back & (Self.one - 1)
        let ceiling = rest == 0 ? floor : floor + 1
        let place = path.frame + (direction == .backward ? ceiling : floor)
        phase = direction == .backward ? (ceiling << 32) - back : rest
        path.turn(direction, at: place)
    }
}
