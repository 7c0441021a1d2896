// SPDX-License-Identifier: GPL-3.0-or-later

/// The exact ratio of two sample rates: how many PCM frames become how many.
struct FrameRatio: Sendable, Equatable {
    /// Both 1 or more.
    let from: Int
    let to: Int

    /// Frames of output for `source` frames in, rounded to the nearest.
    /// - Parameter carry: the part of an output frame that all before this is owed (negative: had too much).
    /// - Returns: `frames`, and what is owed after it, −0.5 to 0.5: pass it on and an error never adds up.
    func output(for source: Int64, carry: Double) -> (frames: Int64, carry: Double) {
        let (whole, rest) = source.quotientAndRemainder(dividingBy: Int64(from))
        let (frames, part) = (rest * Int64(to)).quotientAndRemainder(dividingBy: Int64(from))
        let owed = Double(part) / Double(from) + carry
        let rounded = owed.rounded()
        return (whole * Int64(to) + frames + Int64(rounded), owed - rounded)
    }

    /// The source frame that sounds with output frame `output`, rounded down.
    func source(at output: Int64) -> Int64 {
        let (whole, rest) = output.quotientAndRemainder(dividingBy: Int64(to))
        return whole * Int64(from) + rest * Int64(from) / Int64(to)
    }
}
