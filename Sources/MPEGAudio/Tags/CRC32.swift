// SPDX-License-Identifier: GPL-3.0-or-later

/// The checksum of Ethernet, gzip and PNG (ISO/IEC 13239). It detects damage, not tampering.
struct CRC32: Equatable {
    let value: UInt32

    /// The value in big-endian byte order.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    static func checksum(_ bytes: some Sequence<UInt8>) -> CRC32 {
        let table = table
        return CRC32(
            value: ~bytes.reduce(~0 as UInt32) { rest, byte in
                rest >> 8 ^ table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)]
            })
    }

    /// The remainder of each byte.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}
