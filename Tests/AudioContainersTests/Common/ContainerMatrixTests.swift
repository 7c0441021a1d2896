// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Containers: every file, cut in every way")
struct ContainerMatrixTests {
    @Test("The events do not depend on how the bytes arrive", arguments: ContainerCase.all)
    func pieces(row: ContainerCase) {
        let whole = row.entries()
        #expect(whole.packets.count > 2)
        #expect(whole.failures == [])
        for length in [1, 7, 255, 4096] { #expect(row.entries { length } == whole, "pieces of \(length)") }
        for seed in 0..<4 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            #expect(row.entries { Int.random(in: 1...900, using: &generator) } == whole, "seed \(seed)")
        }
    }

    @Test("The packets of a track follow each other without a gap, from frame 0 on", arguments: ContainerCase.all)
    func continuity(row: ContainerCase) {
        var next: [Int: Int64] = [:]
        for (track, record) in row.entries().numbered {
            guard let packet = record.packet else { continue }
            #expect(packet.frame == next[track] ?? 0)
            next[track] = (packet.frame ?? 0) + Int64(packet.frames)
        }
    }

    @Test("A truncated file yields the packets before the cut", arguments: ContainerCase.all)
    func truncated(row: ContainerCase) {
        let whole = row.entries().filter { $0.packet != nil }
        for cut in 1...40 {
            let length = row.bytes.count * cut / 41
            let part = row.entries(of: Array(row.bytes.prefix(length))).filter { $0.packet != nil }
            // The last block of a wave file is shorter, and the last page of Ogg may differ in its end only.
            let compared = row.kind == .wav ? part.dropLast() : part[...]
            #expect(compared.elementsEqual(whole.prefix(compared.count)), "truncated at \(length)")
            let expected = whole.filter { Self.end(of: $0, row) <= length }
            #expect(part.count >= expected.count, "truncated at \(length)")
        }
    }

    /// Returns an offset at or after the end of a packet.
    private static func end(of record: Record, _ row: ContainerCase) -> Int64 {
        guard let packet = record.packet else { return 0 }
        // The next frame's header proves the end of a FLAC frame. A page of Ogg has up to 255 segments.
        switch row.kind {
        case .wav, .mp4: return packet.offset + Int64(packet.length)
        case .adts: return packet.offset + Int64(packet.length) + 7
        case .flac: return packet.offset + Int64(packet.length) + 16
        case .ogg: return packet.offset + 65307
        }
    }

    @Test("Damage of one byte loses few packets, and reports garbage", arguments: ContainerCase.all)
    func damage(row: ContainerCase) {
        let whole = row.entries().filter { $0.packet != nil }
        let known = Set(whole.map(\.payload))
        var generator = SeededGenerator(seed: 77)
        for _ in 0..<200 {
            var bytes = row.bytes
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
            let records = row.entries(of: bytes)
            guard row.isChecked, records.failures.isEmpty else { continue }
            let intact = records.count { $0.packet != nil && known.contains($0.payload) }
            // A page or a frame is lost, and the packets that continue over it; or one of the chained streams.
            let isInAudio = place > whole[0].packet.map { Int($0.offset) } ?? 0
            if isInAudio, !row.testDescription.contains("chained"), !row.testDescription.contains("two FLAC") {
                #expect(intact >= whole.count - (row.kind == .flac ? 2 : 64), "byte \(place)")
            }
            let strange = records.count { $0.packet != nil && !known.contains($0.payload) }
            #expect(strange <= 1, "byte \(place)")
        }
    }

    @Test("Numbers of frames ascend in damaged files", arguments: ContainerCase.all)
    func ascending(row: ContainerCase) {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            var bytes = row.bytes
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            var last: [Int: Int64] = [:]
            for (track, record) in row.entries(of: bytes).numbered {
                guard let frame = record.packet?.frame else { continue }
                // After a hole, Vorbis packets may overlap by a block.
                let overlap: Int64 = row.testDescription.contains("Vorbis") ? 2048 : 0
                #expect(frame >= (last[track] ?? 0) - overlap)
                last[track] = frame
            }
        }
    }
}
