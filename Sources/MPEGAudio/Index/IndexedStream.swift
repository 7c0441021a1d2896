// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The state of a parse from the start of a stream: the positions of its packets, and the content of its tags.
public struct IndexedStream: Sendable {
    /// The first packet's format and offset; `nil` until it is found.
    public private(set) var first: MPEGPacket?
    /// The Xing, Info or VBRI frame before it.
    public private(set) var info: StreamInfo?
    /// iTunes' trim comment before it.
    public private(set) var iTunes: ITunSMPB?
    public private(set) var index = FrameIndex()
    /// True if all packets so far have one bit rate.
    public private(set) var isConstantBitrate = true
    /// True if all packets up to the end of the stream are indexed.
    public private(set) var isWhole = false

    public init() {}

    /// Stores an event other than a packet. Only tags before the first packet describe the whole stream.
    public mutating func note(_ event: MPEGEvent) {
        switch event {
        case .info(let found) where first == nil && info == nil: info = found
        case .gapless(let found) where first == nil && iTunes == nil: iTunes = found
        case .info, .gapless, .tag, .garbage, .formatChanged, .packet: break
        }
    }

    /// Adds a packet with an exact number. The index ignores a packet that it already contains or whose predecessor
    /// is missing.
    public mutating func append(_ packet: MPEGPacket) {
        if first == nil { first = packet }
        if packet.header.bitrate == nil || packet.header.bitrate != first?.header.bitrate { isConstantBitrate = false }
        index.append(packet)
    }

    /// Marks the stream as complete: no packet follows the indexed ones.
    public mutating func end() { isWhole = !index.isFull }

    /// Uses an index of the whole stream that was built earlier.
    public mutating func adopt(_ kept: KeptFrameIndex) {
        index = kept.index
        isWhole = true
    }

    /// Returns the range of PCM frames that are music.
    /// - Parameters:
    ///   - header: the first packet's.
    ///   - totalLength: bytes of the whole file; `nil` while unknown.
    public func gaplessFacts(_ header: MPEGFrameHeader, totalLength: Int64?) -> GaplessFacts {
        GaplessFacts(info: info, iTunes: iTunes, format: header, totalLength: totalLength)
    }

    /// Returns the estimate of the duration and of the map between times and bytes.
    /// - Parameters:
    ///   - first: the first packet.
    ///   - totalLength: bytes of the whole file; `nil` while unknown.
    ///   - expected: the duration that the whole file is expected to have.
    public func estimate(
        from first: MPEGPacket, _ gapless: GaplessFacts, totalLength: Int64?, expected: Duration? = nil
    ) -> DurationEstimate {
        DurationEstimate(
            info: info, gapless: gapless, format: first.header, packets: index.count,
            packetBytes: (index.frontier?.offset ?? first.offset) - first.offset, audioStart: first.offset,
            totalLength: totalLength, isComplete: isWhole, isConstantBitrate: isConstantBitrate, index: index,
            expected: expected)
    }

    /// Returns the failure of a completely read stream that ends too early: more than a second and more than 2 %
    /// before the duration that its own tag declares. `nil` if the stream is long enough or not completely read.
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
            "the file is shorter than its tag declares: \(seconds(index.count)) of \(seconds(declared)) seconds")
    }
}
