// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MPEGAudio
import EarshotTestSupport
import Testing

@Suite("Packet hashes")
struct PacketHashesTests {
    private func hash(_ bytes: [UInt8]) -> UInt16 {
        var hashes = PacketHashes()
        bytes.withUnsafeBytes { hashes.append(hashOf: $0) }
        return hashes.withHashes { $0.first ?? 0 }
    }

    private func packet(_ length: Int, seed: UInt64 = 1) -> [UInt8] {
        var chance = SeededGenerator(seed: seed)
        return (0..<length).map { _ in .random(in: 0 ... .max, using: &chance) }
    }

    @Test("Hashes are stored in order, one per packet")
    func order() {
        var hashes = PacketHashes()
        for seed in 0..<3 as Range<UInt64> { packet(417, seed: seed).withUnsafeBytes { hashes.append(hashOf: $0) } }
        #expect(hashes.count == 3)
        #expect(hashes == PacketHashes((0..<3).map { hash(packet(417, seed: $0)) }))
        #expect(hashes != PacketHashes((1..<4).map { hash(packet(417, seed: $0)) }))
    }

    @Test("Equal bytes have equal hashes at any alignment", arguments: [0, 1, 15, 16, 17, 417, 1441])
    func place(length: Int) {
        let bytes = packet(length)
        for shift in 0..<17 {
            var hashes = PacketHashes()
            (packet(shift, seed: 2) + bytes).withUnsafeBytes { all in
                hashes.append(hashOf: UnsafeRawBufferPointer(rebasing: all[shift...]))
            }
            #expect(hashes == PacketHashes([hash(bytes)]))
        }
    }

    @Test("Every bit changes the hash", arguments: [1, 8, 15, 16, 17, 31, 32, 33, 417])
    func bits(length: Int) {
        let bytes = packet(length)
        let same = (0..<8 * length).filter { bit in
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            return hash(other) == hash(bytes)
        }
        #expect(same.count <= 1)
    }

    @Test("The length changes the hash")
    func length() {
        #expect(Set((0...100).map { hash(Array(repeating: 0, count: $0)) }).count == 101)
    }

    @Test("Different packets share a hash only by chance")
    func spread() {
        let packets = 20_000
        let different = Set((0..<packets).map { hash(packet(72, seed: UInt64($0))) }).count
        // 65,536 × (1 − e^(−20,000 ÷ 65,536)) = 17,236 are expected, give or take 50.
        #expect((17_000...17_450).contains(different))
    }
}
