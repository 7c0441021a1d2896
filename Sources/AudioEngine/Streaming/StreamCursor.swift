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
    /// The rate; 1 is the file's.
    private(set) var rate = 1.0
    /// The speed at which the output is stretched, at unchanged pitch; `nil` if it is not stretched.
    private(set) var stretchedSpeed: Double?

    /// True if the frames of the path are the frames of output.
    var isPlain: Bool { step == Self.one }

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
    /// - Parameter rate: 0.25...4. At 1, and at unchanged pitch, the cursor snaps to a frame.
    mutating func setRate(_ rate: Double, keepsPitch: Bool) {
        self.rate = rate
        stretchedSpeed = keepsPitch && rate != 1 ? rate : nil
        step = keepsPitch ? Self.one : Int64((rate * Double(Self.one)).rounded())
        if isPlain { phase = 0 }
    }

    /// Snaps to a frame, and sets the step so that `output` frames of output lead past `frames` frames of the path.
    mutating func setStep(past frames: Int, in output: Int) {
        phase = 0
        // Rounded up, so that the last frame of output ends there.
        step = (Int64(frames) * Self.one + Int64(output) - 1) / Int64(output)
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
