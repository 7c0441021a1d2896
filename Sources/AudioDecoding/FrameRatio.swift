// SPDX-License-Identifier: GPL-3.0-or-later

/// The exact ratio of two sample rates, which converts PCM frame counts.
struct FrameRatio: Sendable, Equatable {
    /// `from` and `to` are at least 1.
    let from: Int
    let to: Int

    /// Returns the number of output frames for `source` input frames, rounded to the nearest.
    /// - Parameter carry: the rounding error of all earlier pieces in output frames; negative if they were too long.
    /// - Returns: `frames`, and the new carry, −0.5 to 0.5. If the caller passes it on, errors never add up.
    func output(for source: Int64, carry: Double) -> (frames: Int64, carry: Double) {
        let (whole, rest) = source.quotientAndRemainder(dividingBy: Int64(from))
        let (frames, part) = (rest * Int64(to)).quotientAndRemainder(dividingBy: Int64(from))
        let owed = Double(part) / Double(from) + carry
        let rounded = owed.rounded()
        return (whole * Int64(to) + frames + Int64(rounded), owed - rounded)
    }

    /// Returns the source frame that has the same time as output frame `output`, rounded down.
    func source(at output: Int64) -> Int64 {
        let (whole, rest) = output.quotientAndRemainder(dividingBy: Int64(to))
        return whole * Int64(from) + rest * Int64(from) / Int64(to)
    }
}
