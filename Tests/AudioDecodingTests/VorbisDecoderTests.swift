// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport

@Suite("VorbisDecoder")
struct VorbisDecoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let sampleRate: Int
        let channels: Int
        let quality: Float

        var testDescription: String { "\(sampleRate) Hz × \(channels), quality \(quality)" }

        func encode(seconds: Double = 3) throws -> VorbisEncoding {
            try VorbisEncoding(
                TestProgramme(sampleRate: sampleRate, channels: channels, seconds: seconds), quality: quality)
        }
    }

    static let rows = [
        Row(sampleRate: 48000, channels: 2, quality: 0.4), Row(sampleRate: 44100, channels: 1, quality: 0),
        Row(sampleRate: 44100, channels: 2, quality: 1), Row(sampleRate: 22050, channels: 2, quality: 0.2),
        Row(sampleRate: 8000, channels: 1, quality: 0.1), Row(sampleRate: 48000, channels: 6, quality: 0.3),
    ]

    static func decoder(_ stream: VorbisEncoding) throws -> VorbisDecoder {
        try VorbisDecoder(identification: stream.headers[0], setup: stream.headers[2])
    }

    @Test("The packets yield the frames of the encoder's positions, and the encoded sound", arguments: rows)
    func frames(row: Row) throws {
        let stream = try row.encode()
        let programme = TestProgramme(sampleRate: row.sampleRate, channels: row.channels, seconds: 3)
        let decoder = try Self.decoder(stream)

        let decoded = try decoder.decode(stream.packets)

        #expect(decoder.format.sampleRate == row.sampleRate)
        #expect(decoded.count == programme.samples.count)
        // The order of six channels differs.
        guard row.channels <= 2, row.quality == 1 else { return }
        let noise = zip(decoded, programme.samples).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        let sound = programme.samples.reduce(0) { $0 + $1 * $1 }
        #expect(noise < sound * 0.01)
    }

    @Test("After one packet of pre-roll a seek continues like a linear decode, bit for bit", arguments: rows)
    func seek(row: Row) throws {
        let stream = try row.encode()
        let decoder = try Self.decoder(stream)
        let linear = try decoder.decode(stream.packets)

        for target in stride(from: 1, to: stream.packets.count - 4, by: 3) {
            let landed = try decoder.seek(stream.packets, to: target..<target + 4, preRoll: 1)
            let expected = stream.packets.samples(linear, target..<target + 4, channels: row.channels)
            #expect(identical(landed, expected), "packet \(target)")
        }
    }

    @Test("After a damaged packet, that packet and the next are silent, and the following ones are correct")
    func damage() throws {
        var packets = try Self.rows[0].encode().packets
        let decoder = try Self.decoder(Self.rows[0].encode())
        let whole = try decoder.decode(packets)
        // A header packet's type.
        packets[20].bytes[0] |= 1
        packets[40].bytes = []
        try decoder.reset()

        let decoded = try decoder.decode(packets)

        #expect(decoded.count == whole.count)
        for damaged in [20, 40] {
            #expect(packets.samples(decoded, damaged..<damaged + 2, channels: 2).allSatisfy { $0 == 0 })
            let after = damaged + 2..<damaged + 10
            #expect(
                identical(packets.samples(decoded, after, channels: 2), packets.samples(whole, after, channels: 2)))
        }
    }

    @Test("The channels of surround are in the order of the layout")
    func surround() throws {
        let mono = TestProgramme(sampleRate: 48000, channels: 1, seconds: 1)
        let order = SpeakerOrder.xiph(channels: 6)
        for source in 0..<6 {
            let samples = mono.samples.flatMap { sample in (0..<6).map { $0 == source ? sample : 0 } }
            let stream = try VorbisEncoding(TestProgramme(sampleRate: 48000, channels: 6, samples: samples))
            let pcm = try Self.decoder(stream).decode(stream.packets)
            let energies = (0..<6).map { channel in
                stride(from: channel, to: pcm.count, by: 6).reduce(0) { $0 + pcm[$1] * pcm[$1] }
            }
            #expect(energies.indices.max { energies[$0] < energies[$1] } == order.sources.firstIndex(of: source))
        }
    }
}

@Suite("Hostile Vorbis headers")
struct VorbisHeaderTests {
    @Test("A codebook that declares millions of entries is rejected")
    func bomb() throws {
        let stream = try VorbisDecoderTests.rows[0].encode(seconds: 0.25)
        var bits = LeastFirstBits(Array("\u{5}vorbis".utf8))
        bits.write((255, 8))
        for _ in 0..<256 {
            // One dimension, 2²²−1 entries, ordered, all of 22 bits.
            bits.write((0x564342, 24), (1, 16), (1 << 22 - 1, 24), (1, 1), (21, 5), (1 << 22 - 1, 22), (0, 4))
        }
        #expect(throws: DecodingError.badPacket(reason: "the Vorbis codebooks are damaged")) {
            try VorbisDecoder(identification: stream.headers[0], setup: bits.bytes)
        }
    }

    @Test("Truncated and damaged headers are rejected or decode; none crashes")
    func damage() throws {
        let stream = try VorbisDecoderTests.rows[0].encode(seconds: 0.5)
        var random = SeededGenerator(seed: 8)
        for length in stride(from: 0, to: stream.headers[2].count, by: 41) {
            #expect(throws: DecodingError.self) {
                try VorbisDecoder(
                    identification: stream.headers[0], setup: Array(stream.headers[2].prefix(length)))
            }
        }
        for _ in 0..<300 {
            var setup = stream.headers[2]
            for _ in 0..<3 {
                setup[.random(in: 7..<setup.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let decoder = try? VorbisDecoder(identification: stream.headers[0], setup: setup) else { continue }
            let frames = stream.packets.reduce(0) { $0 + $1.frames }
            #expect(try decoder.decode(stream.packets).count == frames * 2)
        }
    }

    private struct LeastFirstBits {
        private(set) var bytes: [UInt8]
        private var count: Int

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            count = bytes.count * 8
        }

        mutating func write(_ fields: (value: Int, width: Int)...) {
            for field in fields {
                for bit in 0..<field.width {
                    if count % 8 == 0 { bytes.append(0) }
                    bytes[bytes.count - 1] |= UInt8(field.value >> bit & 1) << UInt8(count % 8)
                    count += 1
                }
            }
        }
    }
}
