// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import Media
import Testing

@testable import CodecTestSupport

@Suite("AudioCodec")
struct AudioCodecTests {
    @Test("Each codec has its decoder, whose format is that of the configuration")
    func decoders() throws {
        let stereo = AudioFormat(sampleRate: 48000, channels: 2)
        let aac = try AACPackets(core: 24000, channels: 2, .sbr, count: 4)
        let programme = TestProgramme(sampleRate: 48000, channels: 2, seconds: 0.25)
        let opus = try OpusEncoding(programme)
        let vorbis = try VorbisEncoding(programme)
        let flac = try FLACEncoding(programme, bits: 16)
        let streams: [(AudioCodec, [CodecPacket])] = [
            (.aac(aac.config), aac.packets), (.opus(opus.head), opus.packets),
            (.vorbis(identification: vorbis.headers[0], setup: vorbis.headers[2]), vorbis.packets),
            (.flac(flac.info), flac.packets),
            (.pcm(PCMEncoding(.int16)), [CodecPacket(bytes: Array(repeating: 64, count: 400), frames: 100)]),
        ]
        for (codec, packets) in streams {
            let decoder = try codec.makeDecoder(format: stereo)
            #expect(decoder.format == stereo)
            #expect(try decoder.decode(packets).count == packets.reduce(0) { $0 + $1.frames } * 2)
        }
    }

    @Test("More frames than a packet of the codec can have are refused")
    func limits() throws {
        let stereo = AudioFormat(sampleRate: 48000, channels: 2)
        let decoder = try AudioCodec.pcm(PCMEncoding(.float32)).makeDecoder(format: stereo)
        for frames in [-1, decoder.maximumPacketFrames + 1, .max] {
            var pcm = PCMBuffer(format: stereo, capacity: decoder.maximumPacketFrames)
            #expect(throws: DecodingError.self) {
                try decoder.decode(UnsafeRawBufferPointer(start: nil, count: 0), frames: frames, into: &pcm)
            }
            #expect(pcm.frames == 0)
        }
    }
}
