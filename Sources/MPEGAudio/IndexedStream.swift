// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// What the parse of a stream from its beginning on has found out so far: where its packets are, and what its tags say.
public struct IndexedStream: Sendable {
    /// The first packet's format and offset; `nil` before it was found.
    public private(set) var first: MPEGPacket?
    /// The Xing, Info or VBRI frame in front of it.
    public private(set) var info: StreamInfo?
    /// iTunes' trim comment in front of it.
    public private(set) var iTunes: ITunSMPB?
    public private(set) var index = FrameIndex()
    /// Whether all packets so far have one bit rate.
    public private(set) var isConstantBitrate = true
    /// The packets up to the stream's end are indexed.
    public private(set) var isWhole = false

    public init() {}

    /// Takes what else is found on the way; only what comes before the first packet speaks of the whole stream.
    public mutating func note(_ event: MPEGEvent) {
        switch event {
        case .info(let found) where first == nil && info == nil: info = found
        case .gapless(let found) where first == nil && iTunes == nil: iTunes = found
        case .info, .gapless, .tag, .garbage, .formatChanged, .packet: break
        }
    }

    /// Takes a packet whose number is true; one that is not the next is indexed already, or not yet to be.
    public mutating func append(_ packet: MPEGPacket) {
        if first == nil { first = packet }
        if packet.header.bitrate == nil || packet.header.bitrate != first?.header.bitrate { isConstantBitrate = false }
        index.append(packet)
    }

    /// No packet follows those indexed.
    public mutating func end() { isWhole = !index.isFull }

    /// Takes up the index of the whole stream, made earlier.
    public mutating func adopt(_ kept: KeptFrameIndex) {
        index = kept.index
        isWhole = true
    }

    /// Which PCM frames are music.
    /// - Parameters:
    ///   - header: the first packet's.
    ///   - totalLength: bytes of the whole file; `nil` while unknown.
    public func gaplessFacts(_ header: MPEGFrameHeader, totalLength: Int64?) -> GaplessFacts {
        GaplessFacts(info: info, iTunes: iTunes, format: header, totalLength: totalLength)
    }

    /// How long it lasts and where its times lie, as far as that can be told.
    /// - Parameters:
    ///   - first: the first packet.
    ///   - totalLength: bytes of the whole file; `nil` while unknown.
    public func estimate(from first: MPEGPacket, _ gapless: GaplessFacts, totalLength: Int64?) -> DurationEstimate {
        DurationEstimate(
            info: info, gapless: gapless, format: first.header, packets: index.count,
            packetBytes: (index.frontier?.offset ?? first.offset) - first.offset, audioStart: first.offset,
            totalLength: totalLength, isComplete: isWhole, isConstantBitrate: isConstantBitrate, index: index)
    }

    /// Why it is not all of what its own tag promises, where it was read to its end and that came a second or more,
    /// and a fiftieth, too early.
    /// - Parameters:
    ///   - header: the first packet's.
    ///   - totalLength: bytes of the whole file; `nil` while unknown.
    public func shortfall(_ header: MPEGFrameHeader, totalLength: Int64?) -> MediaFailure? {
        guard isWhole, let info, let declared = info.declaredFrames, info.isLonger(than: totalLength),
            declared < 1 << 32
        else { return nil }
        let second = Int64(header.sampleRate / header.samplesPerFrame)
        guard declared - index.count > max(second, declared / 50) else { return nil }
        let runs = index.runs ?? FormatRuns(header)
        let seconds = { (packets: Int64) in
            runs.time(ofDecoded: runs.decodedFrame(ofPacket: packets)).components.seconds
        }
        return MediaFailure(
            .badData,
            "it is shorter than its own tag promises: \(seconds(index.count)) of \(seconds(declared)) seconds")
    }
}
