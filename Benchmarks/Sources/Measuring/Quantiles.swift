// SPDX-License-Identifier: GPL-3.0-or-later

/// Measured durations, in the order of their length.
public struct Quantiles: Sendable {
    private let sorted: [Duration]

    public init(_ durations: [Duration]) { sorted = durations.sorted() }

    public var count: Int { sorted.count }

    /// Milliseconds that this part of all did not exceed: 0.5 is the median, 1 the longest; 0 of none.
    public func milliseconds(_ part: Double) -> Double {
        guard let last = sorted.indices.last else { return 0 }
        let place = min(last, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))
        return (sorted[place] / .microseconds(1)).rounded() / 1000
    }
}
