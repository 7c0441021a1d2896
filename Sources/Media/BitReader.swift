// SPDX-License-Identifier: GPL-3.0-or-later

/// A reader of bit fields, most significant bit first. Bits past the end read as 0 and set `isExhausted`, so that a
/// parser of a short structure checks for truncation once, at its end.
package struct BitReader {
    private let bytes: ArraySlice<UInt8>
    /// The number of bits read.
    package private(set) var position = 0

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes)[...] }

    /// The number of bits left; negative after a read past the end.
    package var remaining: Int { bytes.count * 8 - position }
    /// True if more bits were read than exist.
    package var isExhausted: Bool { remaining < 0 }

    /// Reads an unsigned number.
    /// - Parameter count: its width, 0 to 32 bits.
    package mutating func read(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let byte = position >> 3
            let bit = byte < bytes.count ? Int(bytes[bytes.startIndex + byte] >> UInt8(7 - position & 7)) & 1 : 0
            value = value << 1 | bit
            position += 1
        }
        return value
    }

    /// Reads one bit.
    package mutating func flag() -> Bool { read(1) == 1 }

    package mutating func skip(_ count: Int) { position += count }

    /// Skips to the next byte, counted from the first bit.
    package mutating func align() { position = (position + 7) & ~7 }
}
