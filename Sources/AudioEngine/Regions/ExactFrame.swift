// SPDX-License-Identifier: GPL-3.0-or-later

/// The number of a player's frames for one frame of a file, `to / from`, as a fraction in lowest terms.
struct RateRatio: Sendable, Hashable {
    /// The denominator and the numerator, both `1...2³¹`.
    let from: Int64
    let to: Int64

    /// Creates the ratio of two rates; rates outside the range are clamped.
    init(from: Int, to: Int) {
        let (from, to) = (min(max(1, from), 1 << 31), min(max(1, to), 1 << 31))
        var (divisor, rest) = (from, to)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        self.from = Int64(from / divisor)
        self.to = Int64(to / divisor)
    }

    var isOne: Bool { from == to }

    /// Returns the player's frame that plays together with the file's frame `frame`, rounded to the nearest; halves
    /// to the later one.
    func frame(of frame: Int64) -> Int64 { ExactFrame(0).adding(frame, of: self).rounded }
}

/// A position on a timeline, exact to the fraction of a frame, such as the end of a region of a file with another
/// rate. Rounded positions are never added up, so the error is still at most half a frame after a thousand loops.
struct ExactFrame: Sendable, Hashable {
    let whole: Int64
    /// The numerator of the fraction, `0..<denominator`.
    let numerator: Int64
    let denominator: Int64

    /// The limit of the denominator. The rates of files have small common multiples; a position that exceeds the
    /// limit is rounded to a whole frame.
    private static let largestDenominator: Int64 = 1 << 31

    init(_ frame: Int64) { self.init(whole: frame, numerator: 0, denominator: 1) }

    private init(whole: Int64, numerator: Int64, denominator: Int64) {
        self.whole = whole
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The nearest frame; halves to the later one.
    var rounded: Int64 { numerator >= denominator - numerator ? whole + 1 : whole }

    /// Returns the position `frames` frames of a file later.
    func adding(_ frames: Int64, of ratio: RateRatio) -> ExactFrame {
        let (count, rest) = (Int128(frames) * Int128(ratio.to)).quotientAndRemainder(dividingBy: Int128(ratio.from))
        let sum = Int64(clamping: Int128(whole) + count)
        let common = RateRatio(from: Int(denominator), to: Int(ratio.from))
        // All three are at most 2³¹, and each remainder is less than its divisor, so no sum reaches 2⁶³.
        let (mine, its) = (common.to, common.from)
        let bottom = denominator * mine
        let top = numerator * mine + Int64(rest) * its
        let (carry, left) = top.quotientAndRemainder(dividingBy: bottom)
        let exact = ExactFrame(whole: sum + carry, numerator: left, denominator: bottom)
        return bottom <= Self.largestDenominator ? exact : ExactFrame(exact.rounded)
    }

    /// Returns the number of the last pass that has begun by the start of frame `frame`, where passes of `length`
    /// frames of a file follow each other from this position on, and each begins at its nearest frame.
    func pass(at frame: Int64, length: Int64, of ratio: RateRatio) -> Int64 {
        // Pass j has begun if here + j · length · ratio < frame + ½; both sides are multiplied by 2 · denominator ·
        // from.
        let halves = (Int128(frame) - Int128(whole)) * Int128(2 * denominator) + Int128(denominator - 2 * numerator)
        let gone = halves * Int128(ratio.from)
        let step = Int128(2 * denominator) * Int128(length) * Int128(ratio.to)
        return Int64(clamping: (gone + step - 1) / step - 1)
    }
}
