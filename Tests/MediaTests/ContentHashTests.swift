// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@Suite("ContentHash")
struct ContentHashTests {
    private let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3 &+ 1) }

    private func hash(_ bytes: [UInt8], pieces: Int = .max) -> UInt64 {
        var hash = ContentHash()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { hash.append($0) }
        }
        return hash.value
    }

    @Test(
        "The hash does not depend on the sizes of the pieces", arguments: [1, 2, 7, 16, 31, 32, 33, 63, 64, 100, 999])
    func pieces(length: Int) {
        #expect(hash(bytes, pieces: length) == hash(bytes))
    }

    @Test("A changed bit, a missing byte and zeros at the end change the hash")
    func differences() {
        var seen: Set<UInt64> = [hash(bytes)]
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1 << (index % 8)
            #expect(seen.insert(hash(other)).inserted, "bit of byte \(index)")
            #expect(seen.insert(hash(Array(bytes[..<index]))).inserted, "first \(index) bytes")
            #expect(seen.insert(hash([UInt8](repeating: 0, count: index + 1))).inserted, "\(index + 1) zeros")
        }
    }

    @Test(
        "The hashes stored by earlier versions stay valid",
        arguments: [
            ([], 0xb5a1_f1b1_5d65_a426), (Array("a".utf8), 0x3e4b_705f_b111_d77c),
            (Array("0123456789abcdef0123456789abcdef".utf8), 0x6df8_7cb4_cfad_fa6d),
            (Array("0123456789abcdef0123456789abcdef!".utf8), 0x285e_b74b_3ae3_48f2),
            ([UInt8](repeating: 0, count: 4096), 0x0697_148f_9775_e73c),
        ] as [([UInt8], UInt64)])
    func stored(bytes: [UInt8], expected: UInt64) {
        #expect(bytes.withUnsafeBytes(ContentHash.value(of:)) == expected)
        #expect(hash(bytes, pieces: 5) == expected)
    }

    @Test("Swapped blocks change the hash")
    func order() {
        let length = 32
        let swapped = Array(bytes[length..<2 * length] + bytes[..<length] + bytes[(2 * length)...])
        #expect(hash(swapped) != hash(bytes))
        #expect(hash(Array(bytes[8..<16] + bytes[..<8] + bytes[16...])) != hash(bytes))
    }
}
