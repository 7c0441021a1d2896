// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Media

@testable import AudioContainers

/// Decodes a file in a container, with packets intact and damaged, out of order and after resets.
@Sendable
func fuzzCodecs(_ file: UnsafeRawBufferPointer) throws {
    var start: Int64 = 0
    while start <= file.count {
        let head = Array(file[Int(start)...].prefix(ContainerIdentification.prefixLength))
        switch ContainerIdentification(head, at: start, isComplete: Int(start) + head.count == file.count) {
        case .undecided(let next):
            try hold(next > start, "a whole file is identified")
            start = next
        case .container(let kind):
            let found = try run(kind.makeParser(), file)
            if let found { _ = try run(kind.makeParser(assuming: found), file) }
            return
        case .mpeg, .unsupported: return
        }
    }
}

/// Decodes the packets of a parser.
/// - Returns: the configuration found in the packets of an AAC stream that does not signal SBR.
private func run(_ parser: any ContainerParser, _ file: UnsafeRawBufferPointer) throws -> AACConfig? {
    var choices = Choices(file)
    var parse = ContainerParse(file, parser)
    var stage: CodecStage?
    var firstPackets: [[UInt8]] = []
    var found: AACConfig?
    try parse.run(each: { parser, event in
        if case .track(let track) = event { stage = CodecStage(track) }
        guard case .packet(let packet) = event, let stage else { return }
        let bytes = parser.withBytes(of: packet) { Array($0) }
        if firstPackets.count < FAADDecoder.probePackets {
            firstPackets.append(bytes)
            found = try stage.resolved(by: firstPackets) ?? found
        }
        try stage.feed(bytes, packet.frames, &choices)
    })
    return found
}

/// The decoder of a track, with the buffer it fills.
private final class CodecStage {
    private let track: AudioTrack
    private let decoder: any AudioDecoder
    private var pcm: PCMBuffer
    private var earlier: [UInt8] = []

    /// - Returns: `nil` if the headers of the codec are damaged.
    init?(_ track: AudioTrack) {
        guard let decoder = try? track.codec.makeDecoder(format: track.format) else { return nil }
        (self.track, self.decoder) = (track, decoder)
        pcm = PCMBuffer(format: decoder.format, capacity: decoder.maximumPacketFrames)
    }

    func resolved(by packets: [[UInt8]]) throws -> AACConfig? {
        guard case .aac(let config) = track.codec else { return nil }
        let found = try FAADDecoder.resolve(config, firstPackets: packets)
        return found == config ? nil : found
    }

    /// Feeds a packet, and sometimes a damaged copy, another one or nothing before it.
    func feed(_ packet: [UInt8], _ frames: Int, _ choices: inout Choices) throws {
        try hold(decoder.format == track.format, "the decoder has the format that the parser states")
        switch choices.byte() % 8 {
        case 0: try decode(damaged(packet, &choices), frames)
        case 1: try decode(earlier, frames)
        case 2: try decode(Array(packet.prefix(choices.index(below: packet.count))), frames)
        case 3: try decoder.reset()
        case 4: try decode([], frames)
        default: break
        }
        try decode(packet, frames)
        if choices.byte() % 4 == 0 { earlier = packet }
    }

    private func damaged(_ packet: [UInt8], _ choices: inout Choices) -> [UInt8] {
        var bytes = packet
        for _ in 0..<1 + choices.index(below: 8) where !bytes.isEmpty {
            bytes[choices.index(below: bytes.count)] = choices.byte()
        }
        guard case .flac = track.codec, bytes.count > 2 else { return bytes }
        // Only frames with the right checksum reach the decoder.
        let checksum = bytes.dropLast(2).withUnsafeBytes { FLACFrameChecksum.extended(0, by: $0) }
        return bytes.dropLast(2) + [UInt8(checksum >> 8), UInt8(checksum & 0xFF)]
    }

    private func decode(_ packet: [UInt8], _ frames: Int) throws {
        pcm.removeAll()
        do {
            try packet.withUnsafeBytes { try decoder.decode($0, frames: frames, into: &pcm) }
            try hold(pcm.frames == frames, "a packet yields the declared number of PCM frames")
            try hold(pcm.samples.allSatisfy(\.isFinite), "every sample is finite")
        } catch let error as DecodingError {
            guard case .formatChanged(let format) = error else { throw error }
            try hold(pcm.frames == 0 && format != decoder.format, "a packet of another format yields no PCM frames")
        }
    }
}
