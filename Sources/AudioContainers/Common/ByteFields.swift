// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A reader of consecutive fields in bytes that may be truncated. Each call returns `nil` if the bytes do not suffice.
/// Numbers are big-endian unless stated.
struct ByteFields {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Returns the next `count` bytes.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Returns a number of 1 to 7 bytes.
    mutating func number(_ count: Int, _ order: ByteOrder = .bigEndian) -> Int? {
        bytes(count).map { Int(truncatingIfNeeded: $0.number(order)) }
    }

    /// Returns a number of 1 to 8 bytes.
    mutating func wideNumber(_ count: Int, _ order: ByteOrder = .bigEndian) -> UInt64? {
        bytes(count).map { $0.number(order) }
    }

    /// Returns a 32-bit or 64-bit field as `Int64`; a value of 2⁶³ or more is clamped.
    mutating func unsigned(isLong: Bool) -> Int64? { wideNumber(isLong ? 8 : 4).map { Int64(clamping: $0) } }

    mutating func signed(isLong: Bool) -> Int64? {
        wideNumber(isLong ? 8 : 4).map {
            isLong ? Int64(bitPattern: $0) : Int64(Int32(truncatingIfNeeded: $0))
        }
    }

    /// Returns the rest as UTF-16 without a byte order mark.
    func utf16(_ order: ByteOrder = .bigEndian) -> String {
        var fields = self
        var units: [UInt16] = []
        while let unit = fields.number(2, order) { units.append(UInt16(unit)) }
        return String(decoding: units, as: UTF16.self)
    }

    /// Skips `count` bytes; false if fewer are left.
    mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

    /// Skips the next bytes if they are equal to `name`.
    /// - Returns: false if they differ.
    mutating func skip(_ name: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }
}

extension Collection<UInt8> {
    /// The bytes, at most 8, as a number.
    func number(_ order: ByteOrder) -> UInt64 {
        switch order {
        case .bigEndian: reduce(0) { $0 << 8 | UInt64($1) }
        case .littleEndian: enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
        }
    }
}
