// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Glibc
import MPEGAudio
import Media
import Playback
import Testing

/// An MP3 file and its reference PCM, a plain decode from the first byte to the last.
struct Fixture: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let format: AudioFormat
    /// The trimmed, interleaved samples.
    let samples: [Float]
    let packetCount: Int
    let packetFrames: Int

    var frames: Int64 { Int64(samples.count / format.channels) }
    var duration: Duration { format.duration(ofFrames: frames) }

    /// Returns the number of frames for a time, which may be negative.
    func frames(_ time: Duration) -> Int64 {
        time < .zero ? -format.frames(in: .zero - time) : format.frames(in: time)
    }

    func target(_ frame: Int64) -> SeekTarget { .absolute(.time(format.duration(ofFrames: frame))) }

    /// Returns the samples from the trimmed frame `frame` to `end`.
    func samples(from frame: Int64, to end: Int64? = nil) -> [Float] {
        let end = min(end ?? frames, frames)
        guard frame < end else { return [] }
        return Array(samples[Int(frame) * format.channels..<Int(end) * format.channels])
    }

    static let cbr = Fixture("Tests/AudioDecodingTests/Fixtures/stereo-44100-cbr128.mp3")
    static let vbr = Fixture("Tests/AudioDecodingTests/Fixtures/stereo-44100-vbr4.mp3")
    static let mono = Fixture("Tests/AudioDecodingTests/Fixtures/mono-44100-cbr64.mp3")
    static let slow = Fixture("Tests/AudioDecodingTests/Fixtures/stereo-22050-cbr64.mp3")
    static let slowMono = Fixture("Tests/Fixtures/mp3/mono-22k.mp3")
    static let untagged = Fixture("Tests/Fixtures/mp3/crc-no-tag-48k.mp3")
    static let all = [cbr, vbr, mono, slow, slowMono, untagged]

    init(_ path: String) {
        self.init(path.split(separator: "/").last.map(String.init) ?? path, Self.read(Self.root + path))
    }

    init(_ name: String, _ bytes: [UInt8]) {
        let decode = LinearDecode(bytes)
        testDescription = name
        self.bytes = bytes
        format = decode.format
        samples = decode.trimmed(totalLength: Int64(bytes.count))
        packetCount = decode.packets
        packetFrames = decode.packetFrames
    }

    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("/") { $0 + $1 + "/" }

    private static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { preconditionFailure("no fixture \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        return bytes
    }
}

/// A decode of every packet of a file in order, through one decoder.
private struct LinearDecode {
    var format = AudioFormat(sampleRate: 44100, channels: 2)
    var packets = 0
    var packetFrames = 1152
    private var samples: [Float] = []
    private var info: StreamInfo?
    private var iTunes: ITunSMPB?
    private var first: MPEGFrameHeader?
    private var decoder: MPG123Decoder?

    init(_ bytes: [UInt8]) {
        var parser = MPEGStreamParser()
        while !parser.isDone {
            while let event = parser.next() { take(event, parser) }
            let rest = bytes.dropFirst(Int(parser.readOffset))
            if rest.isEmpty { parser.finish() } else { rest.withUnsafeBytes { parser.append($0) } }
        }
    }

    private mutating func take(_ event: MPEGEvent, _ parser: MPEGStreamParser) {
        switch event {
        case .info(let found): info = info ?? found
        case .gapless(let found): iTunes = iTunes ?? found
        case .packet(let packet):
            if first == nil { begin(packet.header) }
            packets += 1
            parser.withBytes(of: packet) { decode($0) }
        case .tag, .garbage, .formatChanged: break
        }
    }

    private mutating func begin(_ header: MPEGFrameHeader) {
        first = header
        packetFrames = header.samplesPerFrame
        format = AudioFormat(sampleRate: header.sampleRate, channels: header.channels)
        decoder = try? MPG123Decoder(format: format)
    }

    private mutating func decode(_ bytes: UnsafeRawBufferPointer) {
        var pcm = PCMBuffer(format: format, capacity: 1152)
        _ = try? decoder?.decode(bytes, into: &pcm)
        samples += pcm.samples
    }

    func trimmed(totalLength: Int64) -> [Float] {
        guard let first else { return [] }
        let facts = GaplessFacts(info: info, iTunes: iTunes, format: first, totalLength: totalLength)
        let end = facts.end(afterPackets: Int64(packets)).map { Int($0) * format.channels } ?? samples.count
        return Array(samples[..<min(end, samples.count)].dropFirst(Int(facts.start) * format.channels))
    }
}

/// Returns true if two sample arrays are identical bit for bit.
func identical(_ one: [Float], _ other: [Float]) -> Bool {
    guard one.count == other.count, !one.isEmpty else { return one.count == other.count }
    return one.withUnsafeBytes { one in
        other.withUnsafeBytes { other in
            guard let first = one.baseAddress, let second = other.baseAddress else { return false }
            return memcmp(first, second, one.count) == 0
        }
    }
}
