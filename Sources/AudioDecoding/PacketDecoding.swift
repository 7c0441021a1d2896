// SPDX-License-Identifier: GPL-3.0-or-later
public import MPEGAudio
public import Media

/// A decoder and trimmer of the packets of one contiguous run, from the start of decoding to the next seek or the end
/// of the item.
public struct PacketDecoding {
    private let gapless: GaplessFacts
    private var trimmer: GaplessTrimmer
    /// Trims the end if packet numbers are estimates.
    private var hold: PaddingDelayLine
    private var stage: Stage?
    /// True until the first packet is decoded.
    private var isFresh = true
    private var continuity = ReservoirContinuity()

    /// The file offset of the first damage that was decoded as silence; `nil` if there is none.
    public var silencedOffset: Int64? { continuity.firstLoss }

    /// The decoder and the buffer of one format.
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

    /// Creates a decoding of packets with exact numbers. The first emitted frame is the trimmed frame `frame`.
    public init(gapless: GaplessFacts, landingOn frame: Int64) {
        self.gapless = gapless
        trimmer = GaplessTrimmer(start: gapless.start, end: gapless.end)
        hold = PaddingDelayLine(length: 0)
        trimmer.seek(to: frame)
    }

    /// Creates a decoding of packets with estimated numbers. Nothing is emitted before `land`.
    public init(island gapless: GaplessFacts, packetFrames: Int) {
        self.gapless = gapless
        trimmer = GaplessTrimmer(start: gapless.start, end: nil)
        hold = PaddingDelayLine(length: gapless.padding(packetFrames: packetFrames))
        // The phase of the synthesis filter is unknown in an island.
        isFresh = false
        trimmer.seek(to: .max)
    }

    /// Emits the output from the trimmed frame `frame` on. Call it when the next packet and all later ones decode
    /// correctly.
    public mutating func land(on frame: Int64) { trimmer.seek(to: frame) }

    /// Emits the frames held back as padding if the next packet has another format, because the stream does not end
    /// there.
    /// - Parameter emit: as for `decode`, in the previous format.
    public mutating func release(before header: MPEGFrameHeader, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        guard let stage, !stage.header.matches(header) else { return }
        let channels = stage.pcm.format.channels
        trimmer.flushHeld { samples, frame in hold.accept(samples, at: frame, channels: channels, emit: emit) }
        hold.finish(isPadding: false, emit: emit)
    }

    /// Sets up the decoder if the format of the packet is new.
    /// - Returns: the format of the decoded PCM.
    public mutating func prepare(for header: MPEGFrameHeader) throws(DecodingError) -> AudioFormat {
        if let stage, stage.header.matches(header) { return stage.decoder.format }
        let stage = try Stage(header)
        self.stage = stage
        return stage.decoder.format
    }

    /// Decodes one packet of the format passed to the last `prepare(for:)`.
    /// - Parameters:
    ///   - runs: the format runs of the stream, at least up to this packet.
    ///   - emit: receives interleaved samples of that format and the number of their first trimmed frame, in order;
    ///     called any number of times. The samples are valid during the call.
    public mutating func decode(
        _ packet: MPEGPacket, _ bytes: UnsafeRawBufferPointer, in runs: FormatRuns,
        emit: (UnsafeBufferPointer<Float>, Int64) -> Void
    ) throws(DecodingError) {
        guard let stage else { return }
        let isIntact = continuity.isIntact(packet, bytes)
        // In a decode from the start, the phase of the filter starts at 0 where the format starts and repeats every 8
        // packets.
        if isFresh, (packet.number - runs.run(ofPacket: packet.number).packet) % 8 != 0 { return }
        isFresh = false
        stage.pcm.removeAll()
        try stage.decoder.decode(bytes, frames: packet.header.samplesPerFrame, into: &stage.pcm)
        if !isIntact { stage.pcm.silence() }
        let start = runs.decodedFrame(ofPacket: packet.number)
        if runs.isMixed { trimmer.moveEnd(to: gapless.end(in: runs)) }
        let isBeyondDeclared = gapless.declaredPackets.map { packet.number >= $0 } ?? false
        let channels = stage.pcm.format.channels
        trimmer.accept(stage.pcm, at: start, declaredPacketsExceeded: isBeyondDeclared) { samples, frame in
            hold.accept(samples, at: frame, channels: channels, emit: emit)
        }
    }

    /// Ends the stream after `packets` packets. The held frames are padding if the number equals that of the tag.
    /// - Parameter packets: `nil` if the packets were not counted; the frames held by length are then padding.
    public mutating func finish(afterPackets packets: Int64?, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        trimmer.finish(hasDeclaredPackets: packets == gapless.declaredPackets, emit: emit)
        hold.finish(isPadding: packets.map { $0 == gapless.declaredPackets } ?? true, emit: emit)
    }
}

extension GaplessFacts {
    /// Returns the number of PCM frames after the end of the music, 0 if it is unknown.
    fileprivate func padding(packetFrames: Int) -> Int {
        guard let end, let declaredPackets, !isContradicted else { return 0 }
        let (total, overflow) = declaredPackets.multipliedReportingOverflow(by: Int64(packetFrames))
        return overflow ? 0 : Int(clamping: max(0, min(total - end, Int64(GaplessTrimmer.holdLimit))))
    }
}
