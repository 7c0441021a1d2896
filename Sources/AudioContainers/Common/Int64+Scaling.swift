// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// Returns `self · factor / divisor`, rounded to the nearest and clamped to ±2⁶⁰.
    func scaled(by factor: Int64, over divisor: Int64) -> Int64 {
        guard divisor > 0, factor > 0 else { return 0 }
        let product = magnitude.multipliedFullWidth(by: factor.magnitude)
        let half = divisor.magnitude / 2
        let (low, carry) = product.low.addingReportingOverflow(half)
        let high = product.high + (carry ? 1 : 0)
        let limit = UInt64(ByteWindow.farthest)
        guard high < divisor.magnitude else { return self < 0 ? -Int64(limit) : Int64(limit) }
        let quotient = divisor.magnitude.dividingFullWidth((high, low)).quotient
        let value = quotient < limit ? Int64(quotient) : Int64(limit)
        return self < 0 ? -value : value
    }
}
