// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport

@Suite("Damaged packets of all codecs")
struct DamagedCodecTests {
    /// The number of packets for each stream.
    static let count = 400

    private func check(_ decoder: any AudioDecoder, _ packets: [CodecPacket], seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for number in 0..<Self.count {
            // Every third packet is intact, so that the damaged ones meet a decoder in operation.
            let packet = packets[number % packets.count]
            let pcm = try decoder.decode([number % 3 == 0 ? packet : packet.damaged(using: &random)])
            #expect(pcm.count == packet.frames * decoder.format.channels)
            #expect(pcm.allSatisfy { $0.isFinite })
        }
    }

    @Test(
        "Random damage of AAC never changes the number of frames",
        arguments: FAADDecoderTests.lowComplexity + FAADDecoderTests.highEfficiency)
    func aac(row: FAADDecoderTests.Row) throws {
        let stream = try row.stream(60)
        let decoder = try FAADDecoder(config: stream.config)
        var random = SeededGenerator(seed: 2)
        for number in 0..<Self.count {
            let packet = stream.packets[number % 60]
            do {
                let pcm = try decoder.decode([number % 3 == 0 ? packet : packet.damaged(using: &random)])
                #expect(pcm.count == packet.frames * decoder.format.channels)
                #expect(pcm.allSatisfy { abs($0) <= 16 })
            } catch DecodingError.formatChanged {
            }
        }
    }

    @Test("Random damage of Opus never changes the number of frames", arguments: OpusDecoderTests.rows)
    func opus(row: OpusDecoderTests.Row) throws {
        let stream = try row.encode(seconds: 2)
        try check(OpusDecoder(head: stream.head), stream.packets, seed: 3)
    }

    @Test("Random damage of Vorbis never changes the number of frames", arguments: VorbisDecoderTests.rows)
    func vorbis(row: VorbisDecoderTests.Row) throws {
        let stream = try row.encode(seconds: 1)
        try check(VorbisDecoderTests.decoder(stream), stream.packets, seed: 4)
    }

    @Test("Random damage of FLAC never changes the number of frames", arguments: FLACDecoderTests.rows.prefix(4))
    func flac(row: FLACDecoderTests.Row) throws {
        let stream = try row.encode()
        try check(FLACDecoder(info: stream.info), stream.packets, seed: 5)
    }
}
