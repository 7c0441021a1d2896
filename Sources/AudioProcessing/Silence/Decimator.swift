// SPDX-License-Identifier: GPL-3.0-or-later

/// A reduction of the rate, and of four signals to one.
struct Decimator: Sendable {
    /// The number of samples that become one.
    let factor: Int
    private var sum = SIMD4<Float>.zero
    private var count = 0

    init(factor: Int) { self.factor = factor }

    /// Adds a sample of each signal.
    /// - Returns: the sum of the last `factor` samples, or nil until there are as many.
    @inline(__always)
    mutating func add(_ sample: SIMD4<Float>) -> Float? {
        sum += sample
        count &+= 1
        guard count == factor else { return nil }
        defer { reset() }
        // Equal weights would cancel channels of opposite polarity.
        return (sum * SIMD4(1, 0.75, 0.5, 0.25)).sum()
    }

    mutating func reset() { (sum, count) = (.zero, 0) }
}
