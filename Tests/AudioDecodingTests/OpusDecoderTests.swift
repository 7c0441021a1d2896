// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import COpus
import Media
import Testing

@testable import CodecTestSupport

@Suite("OpusDecoder")
struct OpusDecoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var channels = 2
        let frames: Int
        let application: Int32
        let limit: Int

        var testDescription: String {
            "\(channels) channels, \(frames) frames, \(limit) bytes, application \(application)"
        }

        func encode(seconds: Double) throws -> OpusEncoding {
            try OpusEncoding(
                TestProgramme(sampleRate: 48000, channels: channels, seconds: seconds), frames: frames,
                application: application, limit: limit)
        }
    }

    /// SILK, hybrid and CELT, at all frame durations.
    static let rows = [
        Row(channels: 1, frames: 960, application: OPUS_APPLICATION_VOIP, limit: 30),
        Row(frames: 960, application: OPUS_APPLICATION_VOIP, limit: 60),
        Row(frames: 2880, application: OPUS_APPLICATION_AUDIO, limit: 200),
        Row(frames: 1920, application: OPUS_APPLICATION_AUDIO, limit: 700),
        Row(channels: 1, frames: 480, application: OPUS_APPLICATION_AUDIO, limit: 80),
        Row(frames: 240, application: OPUS_APPLICATION_RESTRICTED_LOWDELAY, limit: 120),
        Row(channels: 1, frames: 120, application: OPUS_APPLICATION_RESTRICTED_LOWDELAY, limit: 60),
    ]

    @Test("Each packet yields its frames, bit for bit those of libopus", arguments: rows)
    func reference(row: Row) throws {
        let stream = try row.encode(seconds: 2)

        let decoded = try OpusDecoder(head: stream.head).decode(stream.packets)

        #expect(decoded.count == stream.packets.count * row.frames * row.channels)
        #expect(try identical(decoded, libopus(stream)))
    }

    @Test("After 3 seconds of pre-roll a seek continues like a linear decode, bit for bit", arguments: rows)
    func seek(row: Row) throws {
        let stream = try row.encode(seconds: 5)
        let decoder = try OpusDecoder(head: stream.head)
        let linear = try decoder.decode(stream.packets)
        let preRoll = (Int(OpusHead.preRoll) + row.frames - 1) / row.frames

        for part in 0..<10 {
            let target = preRoll + (stream.packets.count - preRoll - 4) * part / 10
            let landed = try decoder.seek(stream.packets, to: target..<target + 4, preRoll: preRoll)
            let expected = stream.packets.samples(linear, target..<target + 4, channels: row.channels)
            #expect(identical(landed, expected), "packet \(target)")
        }
    }

    @Test("The header's output gain is applied, also after a reset, and nothing is clipped")
    func gain() throws {
        let programme = TestProgramme(sampleRate: 48000, channels: 2, seconds: 1)
        let plain = try OpusEncoding(programme)
        let loud = try OpusEncoding(programme, gain: 20 * 256)
        let expected = try OpusDecoder(head: plain.head).decode(plain.packets).map { $0 * 10 }
        let decoder = try OpusDecoder(head: loud.head)

        let first = try decoder.decode(loud.packets)
        try decoder.reset()

        #expect(difference(first, expected) < 1e-3)
        #expect(first.contains { abs($0) > 2 })
        #expect(try identical(decoder.decode(loud.packets), first))
    }

    @Test("The channels of surround are in the order of the layout", arguments: 3...8)
    func surround(channels: Int) throws {
        let mono = TestProgramme(sampleRate: 48000, channels: 1, seconds: 0.5)
        let order = SpeakerOrder.xiph(channels: channels)
        #expect(order.layout.rawValue.nonzeroBitCount == channels)

        for source in 0..<channels {
            let samples = mono.samples.flatMap { sample in
                (0..<channels).map { $0 == source ? sample : 0 }
            }
            let programme = TestProgramme(sampleRate: 48000, channels: channels, samples: samples)
            let stream = try OpusEncoding(programme, limit: 2000, family: 1)
            let pcm = try OpusDecoder(head: stream.head).decode(stream.packets)
            let energies = (0..<channels).map { channel in
                stride(from: channel, to: pcm.count, by: channels).reduce(0) { $0 + pcm[$1] * pcm[$1] }
            }
            let loudest = energies.indices.max { energies[$0] < energies[$1] }
            #expect(loudest == order.sources.firstIndex(of: source))
        }
    }

    @Test("A missing or damaged packet is silent, and the decoder recovers")
    func damage() throws {
        var packets = try Self.rows[0].encode(seconds: 2).packets
        let stream = try Self.rows[0].encode(seconds: 2)
        let whole = try OpusDecoder(head: stream.head).decode(packets)
        packets[10].bytes = []
        // Frame count 0 in a packet of code 3.
        packets[11].bytes = [0xFF, 0]

        let decoded = try OpusDecoder(head: stream.head).decode(packets)

        #expect(decoded.count == whole.count)
        #expect(packets.samples(decoded, 10..<12, channels: 1).allSatisfy { $0 == 0 })
        #expect(identical(decoded[..<9600], whole[..<9600]))
        #expect(decoded.dropFirst(9600 * 3).contains { abs($0) > 0.01 })
    }

    /// Decodes with libopus alone.
    private func libopus(_ stream: OpusEncoding) throws -> [Float] {
        var code: Int32 = 0
        let channels = Int32(stream.head.channels)
        guard let decoder = opus_decoder_create(48000, channels, &code) else { throw TestFailure("libopus \(code)") }
        defer { opus_decoder_destroy(decoder) }
        return stream.packets.flatMap { packet in
            var pcm = [Float](repeating: 0, count: 5760 * Int(channels))
            let frames = opus_decode_float(decoder, packet.bytes, Int32(packet.bytes.count), &pcm, 5760, 0)
            return pcm[..<Int(frames * channels)]
        }
    }
}
