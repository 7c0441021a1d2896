// SPDX-License-Identifier: GPL-3.0-or-later

/// How many frames of a player one frame of a file is, as a fraction in lowest terms.
struct RateRatio: Sendable, Hashable {
    /// Both `1...2³¹`.
    let from: Int64
    let to: Int64

    /// Rates that are beyond either end are brought to it.
    init(from: Int, to: Int) {
        let (from, to) = (min(max(1, from), 1 << 31), min(max(1, to), 1 << 31))
        var (divisor, rest) = (from, to)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        self.from = Int64(from / divisor)
        self.to = Int64(to / divisor)
    }

    var isOne: Bool { from == to }

    /// The player's frame that sounds with the file's frame `frame`, to the nearest; halves to the later one.
    func frame(of frame: Int64) -> Int64 { ExactFrame(0).adding(frame, of: self).rounded }
}

/// A place on a timeline, to the exact fraction of a frame: where a region of a file of another rate ends. What is
/// rounded is never added to, so that an error of half a frame is one of half a frame after a thousand loops, too.
struct ExactFrame: Sendable, Hashable {
    let whole: Int64
    /// `0..<denominator`
    let numerator: Int64
    let denominator: Int64

    /// Rates of files have small common multiples; what has none below is rounded to a whole frame.
    private static let largestDenominator: Int64 = 1 << 31

    init(_ frame: Int64) { self.init(whole: frame, numerator: 0, denominator: 1) }

    private init(whole: Int64, numerator: Int64, denominator: Int64) {
        self.whole = whole
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The nearest frame; halves to the later one.
    var rounded: Int64 { numerator >= denominator - numerator ? whole + 1 : whole }

    /// The place `frames` frames of a file later.
    func adding(_ frames: Int64, of ratio: RateRatio) -> ExactFrame {
        let (count, rest) = (Int128(frames) * Int128(ratio.to)).quotientAndRemainder(dividingBy: Int128(ratio.from))
        let sum = Int64(clamping: Int128(whole) + count)
        let common = RateRatio(from: Int(denominator), to: Int(ratio.from))
        // All three are 2^31 at most, and each remainder is less than its divisor: no sum reaches 2^63.
        let (mine, its) = (common.to, common.from)
        let bottom = denominator * mine
        let top = numerator * mine + Int64(rest) * its
        let (carry, left) = top.quotientAndRemainder(dividingBy: bottom)
        let exact = ExactFrame(whole: sum + carry, numerator: left, denominator: bottom)
        return bottom <= Self.largestDenominator ? exact : ExactFrame(exact.rounded)
    }

    /// The number of the last pass that has begun by the start of frame `frame`, where passes of `length` frames of a
    /// file follow each other from here on and each begins at its nearest frame.
    func pass(at frame: Int64, length: Int64, of ratio: RateRatio) -> Int64 {
        // Pass j has begun if here + j · length · ratio < frame + ½; both sides times 2 · denominator · from.
        let halves = (Int128(frame) - Int128(whole)) * Int128(2 * denominator) + Int128(denominator - 2 * numerator)
        let gone = halves * Int128(ratio.from)
        let step = Int128(2 * denominator) * Int128(length) * Int128(ratio.to)
        return Int64(clamping: (gone + step - 1) / step - 1)
    }
}
