// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@testable import CodecTestSupport

@Suite("Damaged packets")
struct DamagedPacketTests {
    @Test(
        "A truncated packet becomes silence of its length and does not shift the following frames",
        arguments: MP3Fixture.names)
    func cutShort(name: String) throws {
        let fixture = try MP3Fixture(name)
        let linear = try fixture.decodeLinearly()
        let decoder = try MPG123Decoder(format: fixture.format)
        _ = try decoder.decode(0..<8, of: fixture)

        let damaged = try decoder.decode(fixture.bytes[fixture.packets[8].bytes].dropLast(20))

        #expect(damaged.count == fixture.packetFrames * fixture.channels)
        #expect(damaged.allSatisfy { $0 == 0 })
        _ = try decoder.decode(9..<24, of: fixture)
        let after = try decoder.decode(24..<30, of: fixture)
        #expect(difference(after, fixture.samples(linear, packets: 24..<30)) < 2.5e-7)
    }

    @Test("Two packets fed as one yield one packet's frames and do not shift the following frames")
    func tooLong() throws {
        let fixture = try MP3Fixture("stereo-44100-cbr128")
        let linear = try fixture.decodeLinearly()
        let decoder = try MPG123Decoder(format: fixture.format)
        let both = fixture.packets[0].bytes.lowerBound..<fixture.packets[1].bytes.upperBound

        #expect(try decoder.decode(fixture.bytes[both]).count == 1152 * 2)

        _ = try decoder.decode(2..<20, of: fixture)
        let after = try decoder.decode(20..<24, of: fixture)
        #expect(difference(after, fixture.samples(linear, packets: 20..<24)) < 2.5e-7)
    }

    @Test("A packet without an MPEG header of the stream's format is refused, and the next one is decoded")
    func foreignPackets() throws {
        let stereo = try MP3Fixture("stereo-44100-cbr128")
        let mono = try MP3Fixture("mono-44100-cbr64")
        let slow = try MP3Fixture("stereo-22050-cbr64")
        let decoder = try MPG123Decoder(format: stereo.format)

        for foreign in [
            mono.bytes[mono.packets[3].bytes], slow.bytes[slow.packets[3].bytes], [0xFF, 0xFB, 0x90][...], [],
            Array(repeating: 0, count: 417)[...],
        ] {
            #expect(throws: DecodingError.self) { try decoder.decode(foreign) }
        }
        let own = try decoder.decode(0..<stereo.packets.count, of: stereo)
        #expect(try identical(own, stereo.decodeLinearly()))
    }

    @Test("Random damage after the header never changes the number of frames", arguments: MP3Fixture.names)
    func fuzz(name: String) throws {
        let fixture = try MP3Fixture(name)
        let decoder = try MPG123Decoder(format: fixture.format)
        var random = SeededGenerator(seed: 20)

        for _ in 0..<12 {
            for packet in fixture.packets {
                let damaged = fixture.bytes[packet.bytes].damaged(keeping: 4, using: &random)
                let pcm = try decoder.decode(damaged)
                #expect(pcm.count == fixture.packetFrames * fixture.channels)
                #expect(pcm.allSatisfy { $0.isFinite })
            }
        }
    }

    @Test("After one damaged packet the stream decodes correctly again", arguments: MP3Fixture.names)
    func recovery(name: String) throws {
        let fixture = try MP3Fixture(name)
        let linear = try fixture.decodeLinearly()
        var random = SeededGenerator(seed: 4)

        for target in stride(from: 1, to: fixture.packets.count - 20, by: 7) {
            let decoder = try MPG123Decoder(format: fixture.format)
            _ = try decoder.decode(0..<target, of: fixture)
            _ = try decoder.decode(fixture.bytes[fixture.packets[target].bytes].damaged(keeping: 4, using: &random))
            _ = try decoder.decode(target + 1..<target + 16, of: fixture)
            let after = target + 16..<target + 20
            let heard = try decoder.decode(after, of: fixture)
            #expect(difference(heard, fixture.samples(linear, packets: after)) < 2.5e-7)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the bytes with a few changed; one in four times truncated, one in eight times all noise.
    fileprivate func damaged(keeping kept: Int, using random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(self)
        let changes = Int.random(in: 0..<8, using: &random) == 0 ? bytes.count : Int.random(in: 1...8, using: &random)
        for _ in 0..<changes {
            bytes[Int.random(in: kept..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        guard Int.random(in: 0..<4, using: &random) == 0 else { return bytes }
        return Array(bytes.prefix(Int.random(in: kept...bytes.count, using: &random)))
    }
}
