// SPDX-License-Identifier: GPL-3.0-or-later

/// Measured durations, sorted by length.
public struct Quantiles: Sendable {
    private let sorted: [Duration]

    public init(_ durations: [Duration]) { sorted = durations.sorted() }

    public var count: Int { sorted.count }

    /// Returns a quantile in milliseconds: 0.5 is the median, 1 the longest; 0 if there are no durations.
    public func milliseconds(_ part: Double) -> Double {
        guard let last = sorted.indices.last else { return 0 }
        let place = min(last, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))
        return (sorted[place] / .microseconds(1)).rounded() / 1000
    }
}
