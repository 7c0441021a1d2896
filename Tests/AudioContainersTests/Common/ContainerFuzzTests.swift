// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Containers: damaged files")
struct ContainerFuzzTests {
    private static let magic: [[UInt8]] = [
        Array("OggS".utf8) + [0, 2], Array("OggS".utf8) + [0, 0], Array("OpusHead".utf8), [1] + Array("vorbis".utf8),
        Array("fLaC".utf8), [0xFF, 0xF8], [0xFF, 0xF8, 0x79, 0x08], Array("RIFF".utf8), Array("data".utf8),
        Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], Array("LIST".utf8), [0xFF, 0xFF, 0xFF, 0xFF],
        Array("moov".utf8), Array("moof".utf8), Array("trun".utf8), [0, 0, 0, 1] + Array("stsz".utf8),
        [0xFF, 0xF1, 0x50, 0x80, 0x3F, 0xFF, 0xFC],
        [0, 0, 0, 0, 0, 0, 0, 0], Array("APETAGEX".utf8), Array("TAG".utf8), [0x84, 0xFF, 0xFF, 0xFF],
    ]

    @Test("No damage traps, loops or depends on how the bytes arrive", arguments: 0..<150 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let row = try #require(ContainerCase.all.randomElement(using: &generator))
        let bytes = Self.damaged(row.bytes, &generator)
        let whole = row.entries(of: bytes)
        #expect(row.entries(of: bytes) { Int.random(in: 1...600, using: &generator) } == whole)
        // A silent packet has no bytes in the file; MP4 states the offset of its table.
        for record in whole where record.packet?.length != 0 {
            let end = (record.packet?.offset ?? 0) + (row.kind == .ogg ? 0 : Int64(record.packet?.length ?? 0))
            #expect(0...Int64(bytes.count) ~= end)
        }
    }

    @Test("No jump in a damaged file traps or loops", arguments: 150..<230 as Range<UInt64>)
    func jumps(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let row = try #require(ContainerCase.all.randomElement(using: &generator))
        let bytes = Self.damaged(row.bytes, &generator)
        var run = ContainerRun(bytes, row.parser()) { Int.random(in: 1...5000, using: &generator) }
        for step in 0..<12 {
            run.run(packets: 1 + step % 5)
            let offset = Int64(step * bytes.count / 10)
            switch (Int(seed) + step) % 4 {
            case 0: run.parser.synchronize(from: offset)
            case 1: run.parser.resume(at: ContainerPoint(frame: 100 * offset, offset: offset, index: Int64(step)))
            case 2: _ = run.parser.seek(to: offset)
            default: run.parser.resume(at: run.records.compactMap(\.point).last ?? ContainerPoint(frame: 0, offset: 0))
            }
        }
        run.run()
    }

    @Test("Jumps to extreme places do not trap", arguments: ContainerCase.all)
    func extremes(row: ContainerCase) {
        var run = ContainerRun(row.bytes, row.parser())
        run.run(packets: 2)
        for value in [Int64.min, -1, .max, .max - 7, 1 << 52] {
            run.parser.synchronize(from: value)
            run.run(packets: 2)
            run.parser.resume(at: ContainerPoint(frame: value, offset: value, index: value))
            run.run(packets: 2)
            _ = run.parser.seek(to: value)
            _ = run.parser.offset(ofFrame: value)
            _ = run.parser.frame(atOffset: value)
            run.run(packets: 2)
        }
    }

    @Test("Noise is rejected", arguments: ContainerCase.Kind.allCases)
    func noise(kind: ContainerCase.Kind) throws {
        let row = try #require(ContainerCase.all.first { $0.kind == kind })
        #expect(row.entries(of: .noise(50_000, 3)).failures.count == 1)
        #expect(row.entries(of: []).failures.count == 1)
    }

    private static func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
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
        return bytes
    }
}
