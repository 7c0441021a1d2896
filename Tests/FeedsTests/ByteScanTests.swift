// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

@Suite("Scanning eight bytes at a time equals scanning byte by byte")
struct ByteScanTests {
    /// Tests every byte at every offset of a word, next to each byte from which a carry could reach it.
    @Test func findsWhatIsFoundByteByByte() {
        for byte in UInt8.min...UInt8.max {
            for neighbour: UInt8 in [0x00, 0x08, 0x0A, 0x1F, 0x20, 0x21, 0x3C, 0x3E, 0x7E, 0x7F, 0x80, 0xC2, 0xFF] {
                for place in 0..<17 {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 19)
                    bytes[place] = neighbour
                    bytes[place + 1] = byte
                    expectTheSame(bytes)
                    expectTheSame(Array(bytes.prefix(place + 2)))
                }
            }
        }
    }

    private func expectTheSame(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { text in
            for (name, hits, isHit) in Self.kinds {
                let found = ByteScan.firstIndex(in: text, from: 0, where: hits)
                let expected = text.firstIndex(where: isHit) ?? text.count
                if found != expected { Issue.record("\(name) in \(bytes): \(found), not \(expected)") }
            }
            let count = ByteScan.count(of: 0x0A, in: text, to: text.count)
            if count != text.count(where: { $0 == 0x0A }) { Issue.record("line feeds in \(bytes): \(count)") }
        }
    }

    private static let kinds: [(String, @Sendable (UInt64) -> UInt64, @Sendable (UInt8) -> Bool)] = [
        ("one byte", { ByteScan.hits(of: 0x3C, in: $0) }, { $0 == 0x3C }),
        ("one beyond ASCII", { ByteScan.hits(of: 0xC2, in: $0) }, { $0 == 0xC2 }),
        ("less", { ByteScan.hits(below: 0x21, in: $0) }, { $0 < 0x21 }),
        ("a range", { ByteScan.hits(in: 0x09...0x0A, in: $0) }, { (0x09...0x0A).contains($0) }),
        (
            "outside a range", { ~ByteScan.hits(in: 0x20...0x7E, in: $0) & ByteScan.highBits },
            { !(0x20...0x7E).contains($0) }
        ),
    ]
}

@Suite("Text of bytes")
struct StringTextTests {
    @Test(arguments: [
        [], Array("plain".utf8), Array("grün – 日本 🎧".utf8), [0xC3], [0x61, 0x80, 0x62], [0xC0, 0x80],
        [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x8E], [0xE2, 0x80],
    ] as [[UInt8]])
    func isWhatTheStandardLibraryMakesOfThem(bytes: [UInt8]) {
        #expect(Array(String(text: bytes).utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8))
    }

    @Test func isTheSameForRandomBytes() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<20_000 {
            let some: [UInt8] = [
                0x20, 0x61, 0x80, 0xBF, 0xC2, 0xC3, 0xDF, 0xE0, 0xE1, 0xEC, 0xA0, 0xED, 0x9F, 0xF0, 0x90, 0xF4, 0x8F,
                0xFF,
            ]
            let count = Int.random(in: 0..<24, using: &random)
            let bytes = (0..<count).map { _ in some.randomElement(using: &random) ?? 0 }
            #expect(Array(String(text: bytes).utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8), "\(bytes)")
        }
    }
}
