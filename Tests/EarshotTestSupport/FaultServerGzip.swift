// SPDX-License-Identifier: GPL-3.0-or-later

/// Wraps bytes as gzip without compressing them: stored blocks (RFC 1951 section 3.2.4) in a gzip member (RFC 1952).
enum StoredGzip {
    static func wrap(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result += littleEndian(length) + littleEndian(~length) + block
        } while !rest.isEmpty
        return result + littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes { sum = sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
        return ~sum
    }

    /// The CRC-32 remainder of each byte value.
    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
}

/// A gigabyte of zeros in seven megabytes: a block with fixed codes (RFC 1951 section 3.2.6) that repeats the last
/// byte 258 times, over and over. The checksum and the length at its end are 0; a client must reject the data before
/// it gets there.
public enum GzipBomb {
    public static let bytes: [UInt8] = {
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        // The last block, fixed codes, a literal 0.
        var bits = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<16 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
        bits += [Int](repeating: 0, count: 7)
        let block = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].reversed().reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
        }
        // Eight codes fill exactly thirteen bytes, starting at any bit; the pattern is doubled to half a million
        // copies.
        var again = Array(block[2..<15])
        for _ in 0..<19 { again += again }
        return head + block[..<2] + again + block[2...] + [UInt8](repeating: 0, count: 8)
    }()
}
