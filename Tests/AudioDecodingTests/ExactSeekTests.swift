// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@testable import CodecTestSupport

@Suite("Exact seeks")
struct ExactSeekTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let sampleRate: Int
        let channels: Int
        let options: [String]

        var testDescription: String {
            "\(sampleRate) Hz \(channels == 1 ? "mono" : "stereo") \(options.joined(separator: " "))"
        }
    }

    private static func rows(_ rates: [Int], _ channels: Int, _ options: String) -> [Row] {
        rates.map { Row(sampleRate: $0, channels: channels, options: options.split(separator: " ").map(String.init)) }
    }

    static let low = [24000, 22050, 16000, 12000, 11025, 8000]
    static let formats =
        // LAME's -p adds check words, and -t omits the tag.
        rows(low, 1, "-b 8") + rows(low, 2, "-b 8") + rows([24000, 11025], 1, "-b 8 -p") + rows([24000], 2, "-b 16 -p")
        + rows([22050, 16000, 8000], 2, "-b 64") + rows([24000], 2, "-b 160") + rows([24000, 16000, 11025], 2, "-V 4")
        + rows([44100], 2, "-b 64") + rows([44100, 32000], 1, "-b 32") + rows([48000], 2, "-b 32 -p")
        + rows([44100], 2, "-b 128") + rows([48000], 2, "-b 320")
        + rows([44100, 32000, 22050], 2, "-V 9") + rows([44100], 2, "-V 4") + rows([44100], 1, "-V 4")
        + rows([44100, 24000], 2, "-V 0")
        + rows([44100], 2, "--freeformat -b 144") + rows([16000], 1, "--freeformat -b 24")

    @Test("From its target on, a seek yields the bits of a linear decode", arguments: formats)
    func seeks(format: Row) throws {
        let sound = Sound(sampleRate: format.sampleRate, channels: format.channels, seconds: 5)
        for tag in [[], ["-t"]] { try check(PacketStream(LAMEProgram.encode(sound, format.options + tag))) }
    }

    @Test(
        "A seek is exact in a file cut from a longer one, whose first packets lack their bit reservoir",
        arguments: rows([24000], 1, "-b 8") + rows([22050], 2, "-b 64") + rows([44100], 2, "-b 64"))
    func cutOut(format: Row) throws {
        let sound = Sound(sampleRate: format.sampleRate, channels: format.channels, seconds: 5)
        let whole = try PacketStream(LAMEProgram.encode(sound, format.options + ["-t"]))
        for number in 30..<38 { try check(PacketStream(Array(whole.bytes[Int(whole.packets[number].offset)...]))) }
    }

    private func check(_ stream: PacketStream) throws {
        let linear = try stream.decode(from: 0, upTo: stream.packets.count)
        var random = SeededGenerator(seed: UInt64(stream.packets.count))

        var wrong: [Int] = []
        for _ in 0..<LongTests.size(40, inFull: 100) {
            let target = Int.random(in: 0..<stream.packets.count, using: &random)
            let end = min(target + 12, stream.packets.count)
            let start = try #require(stream.index.seekPoint(for: Int64(target))).packetNumber
            let heard = try stream.decode(from: Int(start), upTo: end)[((target - Int(start)) * stream.step)...]
            if !identical(heard, linear[target * stream.step..<end * stream.step]) {
                wrong.append(target)
            }
        }
        #expect(wrong == [], "of \(stream.packets.count) packets")
    }
}

/// The packets of a whole file, their index and one decoder.
private struct PacketStream {
    let bytes: [UInt8]
    let packets: [MPEGPacket]
    let index: FrameIndex
    /// The number of samples per packet.
    let step: Int
    private let decoder: MPG123Decoder

    init(_ bytes: [UInt8]) throws {
        var parser = MPEGStreamParser()
        bytes.withUnsafeBytes { parser.append($0) }
        parser.finish()
        var packets: [MPEGPacket] = []
        while let event = parser.next() {
            if case .packet(let packet) = event { packets.append(packet) }
        }
        let header = try #require(packets.first).header
        self.bytes = bytes
        self.packets = packets
        index = packets.reduce(into: FrameIndex()) { $0.append($1) }
        step = header.samplesPerFrame * header.channels
        decoder = try MPG123Decoder(format: AudioFormat(sampleRate: header.sampleRate, channels: header.channels))
    }

    /// Returns the samples that a decoder reset at packet `start` yields.
    func decode(from start: Int, upTo end: Int) throws -> [Float] {
        try decoder.reset()
        var pcm = PCMBuffer(format: decoder.format, capacity: (end - start) * 1152)
        for packet in packets[start..<end] {
            try bytes[Int(packet.offset)..<Int(packet.offset) + packet.length].withUnsafeBytes { bytes in
                _ = try decoder.decode(bytes, into: &pcm)
            }
        }
        return Array(pcm.samples)
    }
}
