// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// The sum, or the end of the range it lies beyond: a time from outside may be any number.
    @_noLocks @_noAllocation
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? Int64.min : Int64.max) : sum
    }

    /// The difference, or the end of the range it lies beyond.
    @_noLocks @_noAllocation
    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? Int64.max : Int64.min) : difference
    }
}
