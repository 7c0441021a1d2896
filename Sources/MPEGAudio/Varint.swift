// SPDX-License-Identifier: GPL-3.0-or-later

/// Whole numbers in as few bytes as they need, 7 bits in each, the lowest first; the highest bit says that more follow.
/// What may be negative is written in zigzag: 0, −1, 1, −2, 2 … as 0, 1, 2, 3, 4 …
extension [UInt8] {
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest > 0x7F {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    mutating func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}

/// Reads numbers back, and refuses one that is written in more bytes than it needs.
struct VarintReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Bytes not read yet.
    var count: Int { rest.count }
    var isAtEnd: Bool { rest.isEmpty }

    mutating func unsigned() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            guard let byte = rest.popFirst(), shift < 63 || byte < 2 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : value }
        }
        return nil
    }

    /// A count or an offset.
    mutating func length() -> Int64? { unsigned().flatMap { Int64(exactly: $0) } }

    /// Adds a number in zigzag to `value`; `false` where there is none or the sum is out of range.
    mutating func add(to value: inout Int64) -> Bool {
        guard let number = unsigned() else { return false }
        let change = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        let (sum, isTooLarge) = value.addingReportingOverflow(change)
        value = sum
        return !isTooLarge
    }
}
