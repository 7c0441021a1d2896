// SPDX-License-Identifier: GPL-3.0-or-later

/// The checksum of a FLAC frame: polynomial 0x8005, initial value 0. A frame with its own checksum has the checksum 0.
/// Source: RFC 9639 section 9.3.
public enum FLACFrameChecksum {
    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { rest, _ in rest << 1 ^ (rest >> 15 == 1 ? 0x8005 : 0) }
    }

    /// Returns true if the last two bytes of a frame are the checksum of those before them.
    public static func isValid(_ frame: UnsafeRawBufferPointer) -> Bool {
        frame.count > 2 && extended(0, by: frame) == 0
    }

    /// Calls `body` with the remainder of each byte.
    static func withTable<R>(_ body: (UnsafeBufferPointer<UInt16>) throws -> R) rethrows -> R {
        try table.withUnsafeBufferPointer(body)
    }

    /// Returns the checksum of more bytes after those with the checksum `rest`.
    static func extended(_ rest: UInt16, by bytes: UnsafeRawBufferPointer) -> UInt16 {
        withTable { table in bytes.reduce(rest) { next($0, $1, table) } }
    }

    @inline(__always)
    static func next(_ rest: UInt16, _ byte: UInt8, _ table: UnsafeBufferPointer<UInt16>) -> UInt16 {
        rest << 8 ^ table[Int(UInt8(truncatingIfNeeded: rest >> 8) ^ byte)]
    }
}
