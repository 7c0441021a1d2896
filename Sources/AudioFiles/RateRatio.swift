// SPDX-License-Identifier: GPL-3.0-or-later

/// Conversion of frame numbers from one sample rate to another.
struct RateRatio: Equatable {
    private let from: Int64
    private let to: Int64
    /// The number of frames at the first rate that is a whole number of frames at the second.
    private let period: Int64
    /// The number of frames at the first rate after which the initial state of a converter has no effect.
    private let preRoll: Int64

    /// The ringing time of a converter's filters, in frames at the lower of both rates.
    private static let ringing: Int64 = 2048

    /// Rates that are not positive count as 1; no converter accepts them.
    init(from: Int, to: Int) {
        (self.from, self.to) = (Int64(max(1, from)), Int64(max(1, to)))
        period = self.from / Self.commonDivisor(self.from, self.to)
        preRoll = Self.ringing * max(1, self.from / self.to + 1)
    }

    var isOne: Bool { from == to }

    /// Returns the number of frames at the second rate for `frames` at the first, rounded to nearest.
    func output(for frames: Int64) -> Int64 {
        guard !isOne else { return frames }
        let (whole, rest) = frames.quotientAndRemainder(dividingBy: from)
        let (product, overflow) = whole.multipliedReportingOverflow(by: to)
        return overflow ? .max / 2 : min(product, .max / 2) + (2 * rest * to + from) / (2 * from)
    }

    /// Returns the frame at the first rate from which to convert so that frame `output` at the second rate equals
    /// that of a conversion from the start. It coincides with a whole frame at the second rate.
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
