// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Looks for bytes, many at a time.
enum ByteScan {
    /// - Returns: the index of the first such byte from `start` on; the end where there is none.
    static func firstIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, CInt(byte), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(base).distance(to: found)
    }

    /// - Returns: the index of the first of either from `start` on; the end where there is none.
    static func firstIndex(
        of one: UInt8, or other: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int {
        guard let base = bytes.baseAddress else { return bytes.count }
        let (ones, others) = (UInt64(one) &* spread, UInt64(other) &* spread)
        var index = start
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
            let hits = zeros(word ^ ones) | zeros(word ^ others)
            if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < bytes.count, bytes[index] != one, bytes[index] != other { index &+= 1 }
        return index
    }

    /// How often a byte occurs from `start` on and before `end`.
    static func count(
        of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, to end: Int
    ) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var count = 0
        var index = start
        while index &+ 8 <= end {
            let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self) ^ UInt64(byte) &* spread
            // The high bit of each byte that is not zero: here none may be set wrongly.
            let others = (word & ~highBits) &+ ~highBits | word
            count &+= (~others & highBits).nonzeroBitCount
            index &+= 8
        }
        while index < end {
            count &+= bytes[index] == byte ? 1 : 0
            index &+= 1
        }
        return count
    }

    @inline(__always)
    static func hasByte(_ byte: UInt8, in word: UInt64) -> Bool {
        zeros(word ^ UInt64(byte) &* spread) != 0
    }

    /// - Parameter limit: at most 0x80.
    @inline(__always)
    static func hasByte(below limit: UInt8, in word: UInt64) -> Bool {
        (word &- UInt64(limit) &* spread) & ~word & highBits != 0
    }

    private static let spread: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The high bit of each byte that is zero; of those behind the first such byte some may be set wrongly.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- spread) & ~word & highBits
    }
}
