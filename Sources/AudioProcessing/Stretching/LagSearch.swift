// SPDX-License-Identifier: GPL-3.0-or-later

/// A search for the shortest of the lags with the least mean square difference, over the lag or over a least number of
/// samples if that is longer. The order of the comparisons does not change the result.
struct LagSearch {
    /// The best lag so far.
    private(set) var lag: Int
    private var difference: Float
    private let samples: UnsafePointer<Float>
    private let least: Int
    private let stride: Int
    /// The samples that exclude most lags before all are compared.
    private static let first = 32

    /// - Parameter first: the lag to compare first. The better it is, the less time do the others take.
    init(_ samples: UnsafePointer<Float>, atLeast least: Int, stride: Int, first lag: Int) {
        (self.samples, self.least, self.stride, self.lag) = (samples, least, stride, lag)
        difference = samples.meanSquareDifference(lag: lag, count: max(lag, least), stride: stride)
    }

    /// Compares the lags of a range. Of many lags, most are excluded by their first samples, eight at a time.
    mutating func compare(_ lags: ClosedRange<Int>) {
        guard stride == 1, least >= Self.first else { return lags.forEach { compare($0) } }
        var lag = lags.lowerBound
        while lag <= lags.upperBound {
            compareEight(from: lag, through: lags.upperBound)
            lag += 8
        }
    }

    /// Compares up to eight lags. Reads the samples for eight, also if there are fewer.
    private mutating func compareEight(from start: Int, through end: Int) {
        let sums = samples.squaredDifferences(lag: start, count: Self.first)
        // A part of a sum is not greater than the sum. The margin is more than the rounding of both.
        let limit = difference * Float(max(start + 7, least)) * 1.001
        guard any(sums .<= limit) else { return }
        for offset in 0..<min(8, end - start + 1) where sums[offset] <= limit { compare(start + offset) }
    }

    private mutating func compare(_ other: Int) {
        guard other != lag else { return }
        let found = samples.meanSquareDifference(
            lag: other, count: max(other, least), stride: stride, upTo: difference)
        if found < difference || found == difference && other < lag { (lag, difference) = (other, found) }
    }
}
