// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Testing

@Suite("MPEG stream parser: damaged files")
struct MPEGStreamParserFuzzTests {
    /// Small samples of everything that a file can contain.
    private static let specimens: [[UInt8]] = (StreamCase.tags + StreamCase.trouble).map(\.stream.bytes)
    private static let magic: [[UInt8]] = [
        [0xFF, 0xFB, 0x90, 0x64], [0xFF, 0xFB, 0x00, 0x00], [0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xF3, 0x14, 0xC0],
        Array("ID3".utf8) + [4, 0, 0x50, 0x7F, 0x7F, 0x7F, 0x7F], Array("ID3".utf8) + [3, 0, 0x40, 0, 0, 2, 0],
        Array("TAG".utf8), Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], Array("APETAGEX".utf8),
        Array("LYRICSBEGIN".utf8), Array("LYRICS200".utf8), Array("Xing".utf8) + [0, 0, 0, 15], Array("VBRI".utf8),
        Array("COMM".utf8) + [0, 0, 0, 60, 0, 0],
    ]

    @Test(
        "No damage traps, loops, omits a byte or depends on how the bytes are cut", arguments: 0..<300 as Range<UInt64>)
    func damage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = Self.damaged(&generator)
        let whole = StreamDriver.events(of: bytes)
        #expect(whole.covers(bytes.count))
        #expect(StreamDriver.events(of: bytes, cutBy: &generator) == whole)
    }

    @Test(
        "A parse resumed in a damaged file yields the rest of the linear parse",
        arguments: 300..<360 as Range<UInt64>)
    func resumption(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = Self.damaged(&generator)
        let packets = StreamDriver.events(of: bytes).packets
        let index = packets.reduce(into: FrameIndex()) { $0.append($1) }
        for number in stride(from: 0, to: index.count, by: 8) {
            let point = try #require(index.seekPoint(for: number))
            let resumed = StreamDriver.events(of: bytes, from: MPEGStreamParser(resumingAt: point))
            #expect(resumed.packets == Array(packets[Int(point.packetNumber)...]))
        }
    }

    private static func damaged(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = (0...Int.random(in: 0...1, using: &generator)).flatMap { _ in
            specimens.randomElement(using: &generator) ?? []
        }
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            mutate(&bytes, &generator)
        }
        return bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let count = min(bytes.count - place, Int.random(in: 1...600, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
        case 1: bytes.removeSubrange(place..<place + count)
        case 2: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
        case 3: bytes.insert(contentsOf: magic.randomElement(using: &generator) ?? [], at: place)
        case 4: for index in place..<place + count { bytes[index] = .random(in: .min ... .max, using: &generator) }
        default: bytes.removeLast(count)
        }
    }
}
