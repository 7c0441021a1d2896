// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import MPEGAudio
import Media

/// Feeds a file's packets to libmpg123 in any order, intact and damaged, through seeks and changes of format.
@Sendable
func fuzzDecoder(_ file: UnsafeRawBufferPointer) throws {
    var choices = Choices(file)
    let packets = try StreamParse(file).packets
    guard let first = packets.first else { return }
    var stage = try DecoderStage(first.header, file)
    var next = 0
    for _ in 0..<min(3 * packets.count, 60) {
        switch choices.byte() % 16 {
        case 0:
            next = choices.index(below: packets.count)
            try stage.seek()
        case 1: try stage.feed(stage.damaged(packets[next], &choices))
        case 2: try stage.feed(Array(stage.bytes(of: packets[next]).prefix(choices.index(below: 1500))))
        case 3:
            let start = Int(packets[next].offset)
            try stage.feed(Array(file[start..<min(file.count, start + 2 * packets[next].length)]))
        case 4:
            let start = choices.index(below: file.count)
            try stage.feed(Array(file[start...].prefix(choices.index(below: 1500))))
        case 5: stage = try DecoderStage(packets[next].header, file)
        default:
            try stage.feed(Array(stage.bytes(of: packets[next])))
            next = (next + 1) % packets.count
        }
    }
}

/// A decoder for one format, with the buffer it fills.
private struct DecoderStage: ~Copyable {
    private let decoder: MPG123Decoder
    private let file: UnsafeRawBufferPointer
    private var pcm: PCMBuffer

    init(_ header: MPEGFrameHeader, _ file: UnsafeRawBufferPointer) throws {
        let format = AudioFormat(sampleRate: header.sampleRate, channels: header.channels)
        decoder = try MPG123Decoder(format: format)
        pcm = PCMBuffer(format: format, capacity: 1152)
        self.file = file
    }

    func seek() throws { try decoder.reset() }

    func bytes(of packet: MPEGPacket) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: file[Int(packet.offset)..<Int(packet.offset) + packet.length])
    }

    /// Returns the packet with a few bytes changed after the header.
    func damaged(_ packet: MPEGPacket, _ choices: inout Choices) -> [UInt8] {
        var bytes = Array(bytes(of: packet))
        for _ in 0..<1 + choices.index(below: 8) where bytes.count > 4 {
            bytes[4 + choices.index(below: bytes.count - 4)] = choices.byte()
        }
        return bytes
    }

    /// - Throws: `BrokenRule` if the packet decodes to a different number of PCM frames than its header declares.
    mutating func feed(_ packet: [UInt8]) throws {
        pcm.removeAll()
        let header = packet.count < 4 ? nil : MPEGFrameHeader(packet.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        do {
            let frames = try packet.withUnsafeBytes { try decoder.decode($0, into: &pcm) }
            try hold(
                frames == header?.samplesPerFrame && pcm.frames == frames,
                "a packet yields the declared number of PCM frames")
            try hold(pcm.samples.allSatisfy(\.isFinite), "every sample is finite")
        } catch let error as DecodingError {
            guard case .badPacket = error else { throw error }
            let isOwn = header?.sampleRate == pcm.format.sampleRate && header?.channels == pcm.format.channels
            try hold(!isOwn, "a packet in the stream's format is accepted")
            try hold(pcm.frames == 0, "a refused packet yields no PCM frames")
        }
    }
}
