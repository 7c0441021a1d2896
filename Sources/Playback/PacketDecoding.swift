// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import MPEGAudio
import Media

/// Decodes the packets of one unbroken run and trims them: from a landing to the next seek or the item's end.
struct PacketDecoding {
    private let gapless: GaplessFacts
    private var trimmer: GaplessTrimmer
    private var stage: Stage?
    /// The decoded frame with which the next packet begins, counted from the first of packet 0.
    private var nextFrame: Int64?

    /// What one format needs.
    private final class Stage {
        let header: MPEGFrameHeader
        let decoder: any AudioDecoder
        var pcm: PCMBuffer

        init(_ header: MPEGFrameHeader) throws(DecodingError) {
            self.header = header
            let format = AudioFormat(sampleRate: header.sampleRate, channels: header.channels)
            decoder = try MPG123Decoder(format: format)
            pcm = PCMBuffer(format: format, capacity: 4 * 1152)
        }
    }

    init(gapless: GaplessFacts, landingOn frame: Int64) {
        self.gapless = gapless
        trimmer = GaplessTrimmer(start: gapless.start, end: gapless.end)
        trimmer.seek(to: frame)
    }

    /// Sets up the decoder where a packet of a new format comes.
    /// - Returns: the format of what it makes.
    mutating func prepare(for header: MPEGFrameHeader) throws(DecodingError) -> AudioFormat {
        if let stage, stage.header.matches(header) { return stage.decoder.format }
        let stage = try Stage(header)
        self.stage = stage
        return stage.decoder.format
    }

    mutating func decode(
        _ packet: MPEGPacket, _ bytes: UnsafeRawBufferPointer,
        emit: (UnsafeBufferPointer<Float>, Int64) -> Void
    ) throws(DecodingError) {
        guard let stage else { return }
        stage.pcm.removeAll()
        let frames = try stage.decoder.decode(bytes, into: &stage.pcm)
        let start = nextFrame ?? packet.number * Int64(packet.header.samplesPerFrame)
        nextFrame = start + Int64(frames)
        let isBeyondDeclared = gapless.declaredPackets.map { packet.number >= $0 } ?? false
        trimmer.accept(stage.pcm, at: start, declaredPacketsExceeded: isBeyondDeclared, emit: emit)
    }


    /// The stream ends after `packets` packets: what is held back was padding, if those are as many as the tag said.
    mutating func finish(afterPackets packets: Int64, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        trimmer.finish(hasDeclaredPackets: packets == gapless.declaredPackets, emit: emit)
    }
}
