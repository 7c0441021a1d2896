// SPDX-License-Identifier: GPL-3.0-or-later
public import MPEGAudio
public import Media

/// Decodes the packets of one unbroken run and trims them: from a landing to the next seek or the item's end.
public struct PacketDecoding {
    private let gapless: GaplessFacts
    private var trimmer: GaplessTrimmer
    /// Trims the end where packet numbers are estimates.
    private var hold: PaddingHold
    private var stage: Stage?
    /// Nothing was decoded yet.
    private var isFresh = true

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

    /// Packets come with their true numbers; the first frame put out is the trimmed frame `frame`.
    public init(gapless: GaplessFacts, landingOn frame: Int64) {
        self.gapless = gapless
        trimmer = GaplessTrimmer(start: gapless.start, end: gapless.end)
        hold = PaddingHold(length: 0)
        trimmer.seek(to: frame)
    }

    /// Packets come with estimated numbers; nothing is put out before `land`.
    public init(island gapless: GaplessFacts, packetFrames: Int) {
        self.gapless = gapless
        trimmer = GaplessTrimmer(start: gapless.start, end: nil)
        hold = PaddingHold(length: gapless.padding(packetFrames: packetFrames))
        // How far the filter has turned there is not known.
        isFresh = false
        trimmer.seek(to: .max)
    }

    /// The next packet and all after it come out right: puts out the trimmed frame `frame` and what follows.
    public mutating func land(on frame: Int64) { trimmer.seek(to: frame) }

    /// Puts out what is held back as padding where a packet of another format follows: the stream does not end there.
    /// - Parameter emit: as for `decode`, in the format before.
    public mutating func release(before header: MPEGFrameHeader, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        guard let stage, !stage.header.matches(header) else { return }
        let channels = stage.pcm.format.channels
        trimmer.putOutHeld { samples, frame in hold.accept(samples, at: frame, channels: channels, emit: emit) }
        hold.finish(isPadding: false, emit: emit)
    }

    /// Sets up the decoder where a packet of a new format comes.
    /// - Returns: the format of what it makes.
    public mutating func prepare(for header: MPEGFrameHeader) throws(DecodingError) -> AudioFormat {
        if let stage, stage.header.matches(header) { return stage.decoder.format }
        let stage = try Stage(header)
        self.stage = stage
        return stage.decoder.format
    }

    /// Decodes one packet of the format last prepared for.
    /// - Parameters:
    ///   - runs: those of the stream, up to this packet at least.
    ///   - emit: is handed interleaved samples of that format and the trimmed frame they begin with, in order,
    ///     perhaps several times or not at all. The samples are valid during the call.
    public mutating func decode(
        _ packet: MPEGPacket, _ bytes: UnsafeRawBufferPointer, in runs: FormatRuns,
        emit: (UnsafeBufferPointer<Float>, Int64) -> Void
    ) throws(DecodingError) {
        guard let stage else { return }
        // The filter of a linear decode began to turn where the format did; it stands alike every 8 packets.
        if isFresh, (packet.number - runs.run(ofPacket: packet.number).packet) % 8 != 0 { return }
        isFresh = false
        stage.pcm.removeAll()
        _ = try stage.decoder.decode(bytes, into: &stage.pcm)
        let start = runs.decodedFrame(ofPacket: packet.number)
        if runs.isMixed { trimmer.moveEnd(to: gapless.end(in: runs)) }
        let isBeyondDeclared = gapless.declaredPackets.map { packet.number >= $0 } ?? false
        let channels = stage.pcm.format.channels
        trimmer.accept(stage.pcm, at: start, declaredPacketsExceeded: isBeyondDeclared) { samples, frame in
            hold.accept(samples, at: frame, channels: channels, emit: emit)
        }
    }

    /// The stream ends after `packets` packets: what is held back was padding, if those are as many as the tag said.
    /// - Parameter packets: `nil` where nobody counted them; then the tag's word holds.
    public mutating func finish(afterPackets packets: Int64?, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        trimmer.finish(hasDeclaredPackets: packets == gapless.declaredPackets, emit: emit)
        hold.finish(isPadding: packets.map { $0 == gapless.declaredPackets } ?? true, emit: emit)
    }
}

extension GaplessFacts {
    /// PCM frames behind the music, 0 where that is not known.
    fileprivate func padding(packetFrames: Int) -> Int {
        guard let end, let declaredPackets, !isContradicted else { return 0 }
        let (total, overflow) = declaredPackets.multipliedReportingOverflow(by: Int64(packetFrames))
        return overflow ? 0 : Int(clamping: max(0, min(total - end, Int64(GaplessTrimmer.holdLimit))))
    }
}
