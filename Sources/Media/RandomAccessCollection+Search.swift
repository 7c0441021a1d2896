// SPDX-License-Identifier: GPL-3.0-or-later

extension RandomAccessCollection where Index == Int {
    /// Returns the first index whose element satisfies a condition, if all following elements satisfy it too; the end
    /// index if no element does.
    @inlinable
    package func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the last element that satisfies a condition, if all elements before it satisfy it too, and no following
    /// one does.
    @inlinable
    package func lastSorted(where condition: (Element) -> Bool) -> Element? {
        let end = partitioningIndex { !condition($0) }
        return end > startIndex ? self[end - 1] : nil
    }
}
