// SPDX-License-Identifier: GPL-3.0-or-later

/// The checksum of an Ogg page: polynomial 0x04C11DB7, most significant bit first, initial value 0. Source: RFC 3533
/// section 6.
enum OggChecksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { rest, _ in rest << 1 ^ (rest >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }

    /// Returns the checksum of more bytes after those with the checksum `rest`.
    static func extended(_ rest: UInt32, by bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var rest = rest
            for byte in bytes { rest = rest << 8 ^ table[Int(UInt8(truncatingIfNeeded: rest >> 24) ^ byte)] }
            return rest
        }
    }
}

/// The checksum of a FLAC frame header: polynomial 0x07, initial value 0. Source: RFC 9639 section 9.1.8.
enum FLACHeaderChecksum {
    private static let table: [UInt8] = (0..<256).map { byte in
        (0..<8).reduce(UInt8(byte)) { rest, _ in rest << 1 ^ (rest >> 7 == 1 ? 0x07 : 0) }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0) { table[Int($0 ^ $1)] }
    }
}
