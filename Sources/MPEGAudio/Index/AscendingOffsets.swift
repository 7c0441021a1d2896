// SPDX-License-Identifier: GPL-3.0-or-later

/// Ascending file offsets in 4 bytes each. The high halves, which seldom change, are stored separately.
struct AscendingOffsets: Sendable, Equatable {
    private struct HighHalf: Equatable {
        /// The index of the first element with this high half.
        let index: Int
        let value: Int64
    }

    private var low: [UInt32] = []
    private var high: [HighHalf] = []

    var count: Int { low.count }

    /// - Parameter offset: not less than the last one.
    mutating func append(_ offset: Int64) {
        let value = offset >> 32
        if high.last?.value != value { high.append(HighHalf(index: low.count, value: value)) }
        low.append(UInt32(truncatingIfNeeded: offset))
    }

    subscript(index: Int) -> Int64 {
        let half = high.last { $0.index <= index }?.value ?? 0
        return half << 32 | Int64(low[index])
    }

    /// Returns the index of the last element that is at most `offset`.
    func lastIndex(notAbove offset: Int64) -> Int? {
        var first = 0
        var end = count
        while first < end {
            let middle = (first + end) / 2
            if self[middle] <= offset { first = middle + 1 } else { end = middle }
        }
        return first == 0 ? nil : first - 1
    }
}

extension RandomAccessCollection {
    /// Returns the last element for which `isBefore` is true.
    /// - Precondition: `isBefore` is true for the first elements and false for all later ones.
    func lastSorted(where isBefore: (Element) -> Bool) -> Element? {
        var (first, count) = (startIndex, count)
        while count > 0 {
            let middle = index(first, offsetBy: count / 2)
            if isBefore(self[middle]) {
                (first, count) = (index(after: middle), count - count / 2 - 1)
            } else {
                count /= 2
            }
        }
        return first == startIndex ? nil : self[index(before: first)]
    }
}
