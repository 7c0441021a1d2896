// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// Returns the sum, clamped to the range of `Int64`, because a time from outside may be any number.
    @_noLocks @_noAllocation
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? Int64.min : Int64.max) : sum
    }

    /// Returns the difference, clamped to the range of `Int64`.
    @_noLocks @_noAllocation
    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? Int64.max : Int64.min) : difference
    }
}
