// SPDX-License-Identifier: GPL-3.0-or-later

/// Which frames at one rate are which at another.
struct RateRatio: Equatable {
    private let from: Int64
    private let to: Int64
    /// Frames at the first rate that are a whole number at the second.
    private let period: Int64
    /// Frames at the first rate after which a converter has forgotten what it began with.
    private let preRoll: Int64

    /// What the filters of a converter ring at the lower of both rates, in frames.
    private static let ringing: Int64 = 2048

    /// One that is not positive is none a converter takes.
    init(from: Int, to: Int) {
        (self.from, self.to) = (Int64(max(1, from)), Int64(max(1, to)))
        period = self.from / Self.commonDivisor(self.from, self.to)
        preRoll = Self.ringing * max(1, self.from / self.to + 1)
    }

    var isOne: Bool { from == to }

    /// Frames at the second rate for so many at the first, to the nearest.
    func output(for frames: Int64) -> Int64 {
        guard !isOne else { return frames }
        let (whole, rest) = frames.quotientAndRemainder(dividingBy: from)
        let (product, overflow) = whole.multipliedReportingOverflow(by: to)
        return overflow ? .max / 2 : min(product, .max / 2) + (2 * rest * to + from) / (2 * from)
    }

    /// Where to begin at the first rate, for frame `output` at the second to come out as from the first one on. It is
    /// a frame that sounds with a whole one at the second rate.
    func start(for output: Int64) -> Int64 {
        guard !isOne else { return output }
        let (whole, rest) = output.quotientAndRemainder(dividingBy: to)
        let (product, overflow) = whole.multipliedReportingOverflow(by: from)
        let source = overflow ? .max / 2 : min(product, .max / 2) + rest * from / to
        return max(0, source - preRoll) / period * period
    }

    private static func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (larger, smaller) = (first, second)
        while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
        return max(1, larger)
    }
}
