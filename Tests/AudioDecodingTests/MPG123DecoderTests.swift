// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@testable import CodecTestSupport

@Suite("MPG123Decoder")
struct MPG123DecoderTests {
    @Test("A trimmed tagged file equals the mpg123 program's output, bit for bit", arguments: MP3Fixture.names)
    func taggedFile(name: String) throws {
        let fixture = try MP3Fixture(name)
        let reference = try ReferenceDecoder.floats(path: fixture.path)

        let decoded = try fixture.decodeLinearly()

        #expect(identical(fixture.samples(decoded, frames: fixture.music), reference))
    }

    @Test("A file without a tag equals the mpg123 program's output, bit for bit", arguments: MP3Fixture.names)
    func untaggedFile(name: String) throws {
        let fixture = try MP3Fixture(name)
        let reference = try ReferenceDecoder.floats(of: fixture.bytes[fixture.tag.upperBound...])

        let decoded = try fixture.decodeLinearly()

        #expect(Int64(decoded.count) == fixture.decodedFrames * Int64(fixture.channels))
        #expect(identical(decoded, reference))
    }

    @Test("After its pre-roll a seek continues like a linear decode, bit for bit", arguments: MP3Fixture.names)
    func seek(name: String) throws {
        let fixture = try MP3Fixture(name)
        let linear = try fixture.decodeLinearly()
        let decoder = try MPG123Decoder(format: fixture.format)

        for target in 1..<fixture.packets.count {
            // The synthesis filter's 16-slot ring advances by 36 slots per packet, 18 in MPEG-2, so that after every
            // 8 packets its phase, and the rounding of its sums, equals a linear decode's.
            let start = fixture.lastStart(for: target) / 8 * 8
            let heard = target..<min(target + 6, fixture.packets.count)
            try decoder.reset()
            _ = try decoder.decode(start..<target, of: fixture)
            let landed = try decoder.decode(heard, of: fixture)
            #expect(identical(landed, fixture.samples(linear, packets: heard)), "packet \(target)")
        }
    }

    @Test("A pre-roll from any other packet differs in the last bit at most", arguments: MP3Fixture.names)
    func seekOutOfPhase(name: String) throws {
        let fixture = try MP3Fixture(name)
        let linear = try fixture.decodeLinearly()
        let decoder = try MPG123Decoder(format: fixture.format)

        for target in 1..<fixture.packets.count {
            try decoder.reset()
            _ = try decoder.decode(fixture.lastStart(for: target)..<target, of: fixture)
            let landed = try decoder.decode(target..<target + 1, of: fixture)
            #expect(difference(landed, fixture.samples(linear, packets: target..<target + 1)) < 2.5e-7)
        }
    }

    @Test("A packet whose bit reservoir is missing is not louder than the music", arguments: MP3Fixture.names)
    func missingReservoir(name: String) throws {
        let fixture = try MP3Fixture(name)
        let decoder = try MPG123Decoder(format: fixture.format)
        let loudest = try fixture.decodeLinearly().map(abs).max() ?? 0

        for target in fixture.packets.indices where fixture.packets[target].reservoir > 0 {
            try decoder.reset()
            let landed = try decoder.decode(target..<target + 1, of: fixture)
            #expect(landed.allSatisfy { abs($0) <= loudest }, "packet \(target)")
        }
    }

    @Test("A reset decoder behaves like a new one", arguments: MP3Fixture.names)
    func reset(name: String) throws {
        let fixture = try MP3Fixture(name)
        let decoder = try MPG123Decoder(format: fixture.format)
        _ = try decoder.decode(3..<9, of: fixture)

        try decoder.reset()

        let again = try decoder.decode(0..<20, of: fixture)
        let linear = try fixture.decodeLinearly()
        #expect(identical(again, fixture.samples(linear, packets: 0..<20)))
    }

    @Test("PCM is appended to the buffer")
    func appends() throws {
        let fixture = try MP3Fixture("stereo-44100-cbr128")
        let decoder = try MPG123Decoder(format: fixture.format)
        var pcm = PCMBuffer(format: fixture.format, capacity: 5 * 1152)

        for packet in fixture.packets[..<5] {
            try fixture.bytes[packet.bytes].withUnsafeBytes { bytes in _ = try decoder.decode(bytes, into: &pcm) }
        }

        let linear = try fixture.decodeLinearly()
        #expect(identical(Array(pcm.samples), fixture.samples(linear, packets: 0..<5)))
    }

    @Test(
        "A packet yields the frame count of its version and layer",
        arguments: [
            (MP3Builder.Format(.mpeg1, layer: 1, sampleRate: 48000, kilobits: 128), 384),
            (MP3Builder.Format(.mpeg1, layer: 2, sampleRate: 44100, kilobits: 128), 1152),
            (MP3Builder.Format(.mpeg1, layer: 3, sampleRate: 32000, kilobits: 128, hasCRC: true), 1152),
            (MP3Builder.Format(.mpeg2, layer: 2, sampleRate: 24000, kilobits: 64), 1152),
            (MP3Builder.Format(.mpeg2, layer: 3, sampleRate: 16000, kilobits: 64, isMono: true), 576),
            (MP3Builder.Format(.mpeg25, layer: 3, sampleRate: 8000, kilobits: 16, isMono: true), 576),
        ])
    func framesOfAPacket(format: MP3Builder.Format, frames: Int) throws {
        var builder = MP3Builder(format)
        builder.addFrames(5)
        let channels = format.isMono ? 1 : 2
        let decoder = try MPG123Decoder(format: AudioFormat(sampleRate: format.sampleRate, channels: channels))

        for (offset, length) in zip(builder.frameOffsets, builder.frameLengths) {
            let pcm = try decoder.decode(builder.bytes[Int(offset)..<Int(offset) + length])
            #expect(pcm.count == frames * channels)
        }
    }

    @Test("A format that MPEG audio does not have is refused")
    func unknownFormat() {
        #expect(throws: DecodingError.self) {
            try MPG123Decoder(format: AudioFormat(sampleRate: 44101, channels: 2))
        }
        #expect(throws: DecodingError.self) {
            try MPG123Decoder(format: AudioFormat(sampleRate: 44100, channels: 3))
        }
    }
}
