// SPDX-License-Identifier: GPL-3.0-or-later

/// Integers of variable length: 7 bits per byte, the lowest first; the highest bit is set if more bytes follow.
/// Numbers that may be negative are zigzag-coded: 0, −1, 1, −2, 2 … as 0, 1, 2, 3, 4 …
extension [UInt8] {
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest > 0x7F {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    package mutating func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}

/// A reader of such numbers that rejects encodings longer than necessary.
package struct VarintReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The number of unread bytes.
    package var count: Int { rest.count }
    package var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number; `nil` if it is not one, or too large.
    package mutating func unsigned() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            guard let byte = rest.popFirst(), shift < 63 || byte < 2 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : value }
        }
        return nil
    }

    /// Reads a count or an offset.
    package mutating func length() -> Int64? { unsigned().flatMap { Int64(exactly: $0) } }

    /// Adds a zigzag-coded number to `value`; returns false for an invalid number or a sum out of range.
    package mutating func add(to value: inout Int64) -> Bool {
        guard let number = unsigned() else { return false }
        let change = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        let (sum, isTooLarge) = value.addingReportingOverflow(change)
        value = sum
        return !isTooLarge
    }
}
