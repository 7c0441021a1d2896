// SPDX-License-Identifier: GPL-3.0-or-later
import Media

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
    func lastIndex(notAbove offset: Int64) -> Int? { (0..<count).lastSorted { self[$0] <= offset } }
}
