// SPDX-License-Identifier: GPL-3.0-or-later
@testable import CodecTestSupport

/// Fields of AAC configurations.
enum ConfigFields {
    /// Writes fields of the given lengths in bits; the last byte is padded with zeros.
    static func bits(_ fields: [(value: Int, length: Int)]) -> [UInt8] {
        var bits = fields.flatMap { field in (0..<field.length).map { field.value >> (field.length - 1 - $0) & 1 } }
        bits += [Int](repeating: 0, count: (8 - bits.count % 8) % 8)
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
        }
    }

    /// A program config element of 3/2.1 channels, from its element tag on, without the alignment and the comment.
    static let surround: [(value: Int, length: Int)] = [
        (0, 4), (1, 2), (4, 4), (2, 4), (0, 4), (1, 4), (1, 2), (0, 3), (0, 4), (0, 1), (0, 1), (0, 1),
        // Front: centre, pair. Back: pair. Low frequency: one.
        (0, 1), (0, 4), (1, 1), (0, 4), (1, 1), (1, 4), (0, 4),
    ]
}
