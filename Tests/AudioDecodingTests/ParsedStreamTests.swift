// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@testable import CodecTestSupport

@Suite("From bytes to trimmed PCM")
struct ParsedStreamTests {
    @Test("Parser, decoder and trimmer together equal the mpg123 program, bit for bit", arguments: MP3Fixture.names)
    func wholeFile(name: String) throws {
        let fixture = try MP3Fixture(name)
        let reference = try ReferenceDecoder.floats(path: fixture.path)

        var stream = try ParsedStream(fixture.bytes)
        let (heard, first) = try stream.decode(from: 0)

        #expect(first == 0)
        #expect(identical(heard, reference))
    }

    @Test("A seek lands on the exact frame, with the samples of a linear decode", arguments: MP3Fixture.names)
    func seek(name: String) throws {
        let fixture = try MP3Fixture(name)
        let reference = try ReferenceDecoder.floats(path: fixture.path)
        var stream = try ParsedStream(fixture.bytes)
        let total = Int64(reference.count / fixture.channels)
        var random = SeededGenerator(seed: 11)

        let anywhere = (0..<5).map { _ in Int64.random(in: 0..<total, using: &random) }
        for target in anywhere + [1, 46, 47, total - 1, 0] {
            let (heard, first) = try stream.decode(from: target)
            #expect(first == target)
            #expect(identical(heard, reference[Int(target) * fixture.channels..<reference.count]))
        }
    }
}

/// A whole file in memory, decoded as in a decode loop.
private struct ParsedStream {
    private let bytes: [UInt8]
    private let packets: [MPEGPacket]
    private let index: FrameIndex
    private let timeline: PacketTimeline
    private let declaredPackets: Int64?
    private let decoder: MPG123Decoder
    private var trimmer: GaplessTrimmer

    init(_ bytes: [UInt8]) throws {
        let (packets, info) = Self.parse(bytes)
        let header = try #require(packets.first).header
        let facts = GaplessFacts(info: info, format: header, totalLength: Int64(bytes.count))
        var index = FrameIndex()
        for packet in packets { index.append(packet) }
        self.bytes = bytes
        self.packets = packets
        self.index = index
        timeline = PacketTimeline(runs: FormatRuns(header), start: facts.start)
        declaredPackets = facts.declaredPackets
        trimmer = GaplessTrimmer(start: facts.start, end: facts.end)
        decoder = try MPG123Decoder(format: AudioFormat(sampleRate: header.sampleRate, channels: header.channels))
    }

    /// - Returns: The samples from trimmed frame `target` to the end, and the number of the first frame.
    mutating func decode(from target: Int64) throws -> (samples: [Float], first: Int64?) {
        var heard: [Float] = []
        var first: Int64?
        let emit = { (samples: UnsafeBufferPointer<Float>, frame: Int64) in
            first = first ?? frame
            heard += samples
        }
        let start = try #require(index.seekPoint(for: timeline.packet(holding: target))).packetNumber
        try decoder.reset()
        trimmer.seek(to: target)
        for packet in packets[Int(start)...] {
            var pcm = PCMBuffer(format: decoder.format, capacity: 1152)
            try bytes[Int(packet.offset)..<Int(packet.offset) + packet.length].withUnsafeBytes { bytes in
                _ = try decoder.decode(bytes, into: &pcm)
            }
            trimmer.accept(
                pcm, at: timeline.decodedFrame(ofPacket: packet.number),
                declaredPacketsExceeded: packet.number >= declaredPackets ?? .max, emit: emit)
        }
        trimmer.finish(hasDeclaredPackets: Int64(packets.count) == declaredPackets, emit: emit)
        return (heard, first)
    }

    private static func parse(_ bytes: [UInt8]) -> ([MPEGPacket], StreamInfo?) {
        var parser = MPEGStreamParser()
        bytes.withUnsafeBytes { parser.append($0) }
        parser.finish()
        var (packets, info) = ([MPEGPacket](), StreamInfo?.none)
        while let event = parser.next() {
            switch event {
            case .packet(let packet): packets.append(packet)
            case .info(let found) where packets.isEmpty: info = found
            default: break
            }
        }
        return (packets, info)
    }
}
