// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import CodecTestSupport

@Suite("FLACDecoder")
struct FLACDecoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var sampleRate = 44100
        let channels: Int
        let bits: Int
        var level = 5
        var blockSize = 1152

        var testDescription: String {
            "\(sampleRate) Hz × \(channels), \(bits) bits, level \(level), \(blockSize) frames"
        }

        func encode(seconds: Double = 1) throws -> FLACEncoding {
            try FLACEncoding(
                TestProgramme(sampleRate: sampleRate, channels: channels, seconds: seconds), bits: bits, level: level,
                blockSize: blockSize)
        }
    }

    static let rows = [
        Row(channels: 2, bits: 16), Row(channels: 1, bits: 16, level: 0), Row(channels: 2, bits: 24, level: 8),
        Row(channels: 1, bits: 8), Row(channels: 2, bits: 20), Row(channels: 2, bits: 32),
        Row(sampleRate: 96000, channels: 2, bits: 24, blockSize: 4608), Row(channels: 6, bits: 16, blockSize: 16),
        Row(sampleRate: 192_000, channels: 8, bits: 16, blockSize: 16384),
    ]

    @Test("The decoded samples are the encoded ones", arguments: rows)
    func lossless(row: Row) throws {
        let stream = try row.encode()

        let decoded = try FLACDecoder(info: stream.info).decode(stream.packets)

        #expect(identical(decoded, stream.samples))
    }

    @Test("A seek needs no pre-roll", arguments: rows)
    func seek(row: Row) throws {
        let stream = try row.encode()
        let decoder = try FLACDecoder(info: stream.info)

        for target in stream.packets.indices.shuffled() {
            let numbers = target..<target + 1
            let expected = stream.packets.samples(stream.samples, numbers, channels: row.channels)
            #expect(try identical(decoder.decode(stream.packets[numbers]), expected), "packet \(target)")
        }
    }

    @Test("A packet with a wrong check sum, cut, or of another stream is silent, and the next one is correct")
    func damage() throws {
        let stream = try Self.rows[0].encode()
        let foreign = try Self.rows[1].encode()
        var packets = stream.packets
        packets[3].bytes[packets[3].bytes.count / 2] ^= 1
        packets[5].bytes.removeLast()
        packets[7].bytes = foreign.packets[7].bytes
        packets[9].bytes = []

        let decoded = try FLACDecoder(info: stream.info).decode(packets)

        #expect(decoded.count == stream.samples.count)
        for number in packets.indices {
            let pcm = packets.samples(decoded, number..<number + 1, channels: 2)
            let isDamaged = [3, 5, 7, 9].contains(number)
            let expected = packets.samples(stream.samples, number..<number + 1, channels: 2)
            #expect(isDamaged ? pcm.allSatisfy { $0 == 0 } : identical(pcm, expected), "packet \(number)")
        }
    }

    /// The processor time of this thread.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test("Thousands of frame headers in one packet do not delay the decoder")
    func manyHeaders() throws {
        let stream = try Self.rows[8].encode(seconds: 0.5)
        let decoder = try FLACDecoder(info: stream.info)
        // A header of eight channels whose first subframe follows only in the next header.
        let header = Array(stream.packets[1].bytes.prefix(8))
        var bytes = (0..<20000).flatMap { _ in header }
        bytes += stream.packets[1].bytes
        let packet = CodecPacket(bytes: bytes.withFLACChecksum, frames: 16384)
        let start = Self.processorTime

        let decoded = try decoder.decode([packet])

        #expect(decoded.count == 16384 * 8)
        // Other programs do not count.
        #expect(Self.processorTime - start < .milliseconds(500) * TimeLimit.factor)
    }
}

extension [UInt8] {
    /// The bytes with their CRC-16 of polynomial 0x8005.
    fileprivate var withFLACChecksum: [UInt8] {
        let sum = reduce(UInt16(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
        }
        return self + [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
    }
}
