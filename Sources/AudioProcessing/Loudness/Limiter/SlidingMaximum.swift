// SPDX-License-Identifier: GPL-3.0-or-later

/// The maximum of the last `length` values of a sequence of integers, where negative values count as 0. A value costs
/// constant time on average.
struct SlidingMaximum: Sendable {
    private struct Entry: Sendable {
        var value: Int64
        var time: Int
    }

    /// A ring of the values that may still become the maximum: each is less than the one before.
    private var entries: [Entry]
    private var first = 0
    private var count = 0
    private var time = 0

    init(length: Int) { entries = Array(repeating: Entry(value: 0, time: 0), count: max(1, length)) }

    /// True if the maximum is 0.
    var isZero: Bool { count == 0 }

    /// Returns the maximum of `value` and the `length − 1` values before it.
    mutating func maximum(adding value: Int64) -> Int64 {
        time &+= 1
        if count > 0, time &- entries[first].time >= entries.count { removeFirst() }
        while count > 0, entries[index(count &- 1)].value <= value { count &-= 1 }
        if value > 0 {
            entries[index(count)] = Entry(value: value, time: time)
            count &+= 1
        }
        return count > 0 ? entries[first].value : 0
    }

    mutating func reset() { count = 0 }

    private mutating func removeFirst() {
        first = index(1)
        count &-= 1
    }

    private func index(_ offset: Int) -> Int {
        let index = first &+ offset
        return index < entries.count ? index : index &- entries.count
    }
}
