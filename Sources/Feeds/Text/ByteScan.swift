// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Searches for bytes, eight or more at a time.
enum ByteScan {
    /// - Returns: the index of the first occurrence from `start` on; `bytes.count` if the byte does not occur.
    static func firstIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, CInt(byte), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(base).distance(to: found)
    }

    /// - Returns: the index of the last occurrence of an ASCII byte; `nil` if the byte does not occur.
    static func lastIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var end = bytes.count
        while end >= 8 {
            let found = hits(in: byte...byte, in: word(at: base + end - 8))
            if found != 0 { return end &- 1 &- found.leadingZeroBitCount / 8 }
            end &-= 8
        }
        return bytes[..<end].lastIndex(of: byte)
    }

    /// - Returns: the index of the first occurrence of either byte from `start` on; `bytes.count` if neither occurs.
    static func firstIndex(
        of one: UInt8, or other: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int {
        firstIndex(in: bytes, from: start) { hits(of: one, in: $0) | hits(of: other, in: $0) }
    }

    /// Returns the index of the first matching byte from `start` on, or `bytes.count` if no byte matches.
    ///
    /// - Parameter hits: sets the high bit of each matching byte of a word, as the functions below do.
    @inline(__always)
    static func firstIndex(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, where hits: (_ word: UInt64) -> UInt64
    ) -> Int {
        guard let base = bytes.baseAddress else { return bytes.count }
        var index = start
        while index &+ 8 <= bytes.count {
            let found = hits(word(at: base + index))
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        guard index < bytes.count else { return bytes.count }
        // The padding consists of zeros after the last byte.
        let found = hits(lastWord(of: bytes, from: index))
        return min(bytes.count, index &+ found.trailingZeroBitCount / 8)
    }

    @inline(__always)
    private static func word(at start: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    }

    /// Returns the bytes from `start` on, fewer than eight, in a word whose higher bytes are zero.
    @inline(__always)
    private static func lastWord(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64 {
        if bytes.count >= 8, let base = bytes.baseAddress {
            return word(at: base + bytes.count - 8) >> UInt64(8 &* (8 &- (bytes.count &- start)))
        }
        var word: UInt64 = 0
        for index in stride(from: bytes.count - 1, through: start, by: -1) { word = word << 8 | UInt64(bytes[index]) }
        return word
    }

    /// Returns the number of occurrences of an ASCII byte from `start` up to but not including `end`.
    static func count(
        of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, to end: Int
    ) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var (count, rest) = (0, base + start)
        while let found = memchr(rest, CInt(byte), max(0, base + end - rest)) {
            count += 1
            rest = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
        }
        return count
    }

    /// Sets the high bit of each byte equal to `byte`. Bits after the first match may be wrong.
    @inline(__always)
    static func hits(of byte: UInt8, in word: UInt64) -> UInt64 {
        let word = word ^ UInt64(byte) &* spread
        return (word &- spread) & ~word & highBits
    }

    /// Sets the high bit of each byte below `limit`. Bits after the first match may be wrong.
    ///
    /// - Parameter limit: at most 0x80.
    @inline(__always)
    static func hits(below limit: UInt8, in word: UInt64) -> UInt64 {
        (word &- UInt64(limit) &* spread) & ~word & highBits
    }

    /// Sets the high bit of each byte in a range of ASCII. All bits are correct.
    @inline(__always)
    static func hits(in range: ClosedRange<UInt8>, in word: UInt64) -> UInt64 {
        let low = word & ~highBits
        let reached = low &+ UInt64(0x80 &- range.lowerBound) &* spread
        let passed = low &+ UInt64(0x7F &- range.upperBound) &* spread
        return reached & ~passed & ~word & highBits
    }

    private static let spread: UInt64 = 0x0101_0101_0101_0101
    /// The high bit of each byte.
    static let highBits: UInt64 = 0x8080_8080_8080_8080
}
