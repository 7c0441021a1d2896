// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The duration of a stream and the map between times and bytes, estimated until the whole stream is parsed.
///
/// Times are counted from the first PCM frame of music (`GaplessFacts.start`). Packets that are not counted yet are
/// assumed to have the format of the last one.
public struct DurationEstimate: Sendable, Equatable {
    private let info: StreamInfo?
    private let gapless: GaplessFacts
    private let timeline: PacketTimeline
    /// The first packet of the last format; `nil` while there is only one format.
    private let lastFormat: SeekPoint?
    private let packets: Int64
    private let packetBytes: Int64
    private let audioStart: Int64
    private let totalLength: Int64?
    private let isComplete: Bool
    private let isConstantBitrate: Bool
    private let expected: Duration?

    /// - Parameters:
    ///   - info: the Xing, Info or VBRI frame before the first packet.
    ///   - gapless: made from the same `info` and `totalLength`.
    ///   - format: the first packet's header.
    ///   - packets: packets counted so far, contiguous from 0.
    ///   - packetBytes: the bytes those packets cover.
    ///   - audioStart: the first packet's file offset.
    ///   - totalLength: bytes of the whole file.
    ///   - isComplete: true if the parser has reached the end, so that `packets` is the total number.
    ///   - isConstantBitrate: true if all packets so far have the first one's bit rate.
    ///   - index: the index of those packets; `nil` if they all have one format.
    ///   - expected: the duration that the whole file is expected to have.
    public init(
        info: StreamInfo?, gapless: GaplessFacts, format: MPEGFrameHeader, packets: Int64, packetBytes: Int64,
        audioStart: Int64, totalLength: Int64?, isComplete: Bool, isConstantBitrate: Bool = false,
        index: FrameIndex? = nil, expected: Duration? = nil
    ) {
        self.info = info
        self.gapless = gapless
        timeline = PacketTimeline(runs: index?.runs ?? FormatRuns(format), start: gapless.start)
        lastFormat = timeline.runs.isMixed ? index?.lastFormat : nil
        self.packets = packets
        self.packetBytes = packetBytes
        self.audioStart = audioStart
        self.totalLength = totalLength
        self.isComplete = isComplete
        self.isConstantBitrate = isConstantBitrate
        self.expected = expected
    }

    /// The duration: exact if the whole stream is parsed; declared if a tag states it and neither the packets nor the
    /// file's length contradict it; otherwise estimated: by the tag until the length is known, because the tag may be
    /// that of the first of several joined files, and from the length and the mean bit rate so far (before the first
    /// packet, the bit rate of its header).
    public var duration: MediaDuration {
        let end = gapless.end(in: timeline.runs)
        if isComplete {
            return .exact(music(inPackets: Double(packets), end: packets == gapless.declaredPackets ? end : nil))
        }
        if let declared = gapless.declaredPackets, declared > 0, packets <= declared,
            info?.agrees(withTotalLength: totalLength) ?? true
        {
            let length = music(inPackets: Double(declared), end: end)
            return totalLength == nil ? .estimated(length) : .declared(length)
        }
        guard let totalLength, totalLength > audioStart, let line = constantLine ?? expectedLine ?? meanLine
        else { return .unknown }
        return .estimated(music(inPackets: line.packet(atByte: Double(totalLength)), end: nil))
    }

    /// Returns the estimated time of the byte; `nil` if nothing is known yet.
    public func time(atByte offset: Int64) -> Duration? {
        line.map { music(inPackets: $0.packet(atByte: Double(max(audioStart, offset))), end: nil) }
    }

    /// Returns the estimated byte for `time`, within the file; `nil` if nothing is known yet.
    public func byte(atTime time: Duration) -> Int64? {
        let frame = Double(timeline.frame(at: time)) + Double(gapless.start)
        let run = timeline.runs.run(ofDecoded: Self.integer(frame))
        return byte(atPacket: Double(run.packet) + (frame - Double(run.frame)) / Double(run.packetFrames))
    }

    /// Returns the estimated offset of the packet, within the file; `nil` if nothing is known yet.
    public func byte(ofPacket number: Int64) -> Int64? { byte(atPacket: Double(number)) }

    /// Returns the estimated number of the packet that begins at the byte; `nil` if nothing is known yet.
    public func packet(atByte offset: Int64) -> Int64? {
        line.map { Self.integer($0.packet(atByte: Double(max(audioStart, offset)))) }
    }

    private func byte(atPacket packet: Double) -> Int64? {
        guard let line else { return nil }
        return min(max(audioStart, Self.integer(line.byte(atPacket: packet))), totalLength ?? .max)
    }

    /// The best known line: at a constant bit rate that of the header, which is exact to the packet at any distance;
    /// otherwise the tag's own table or mean if it can be true; otherwise a line to the expected end; otherwise the
    /// mean bit rate so far.
    private var line: XingSeekTable? { constantLine ?? tagLine ?? expectedLine ?? meanLine }

    private var tagLine: XingSeekTable? {
        info.flatMap { $0.agrees(withTotalLength: totalLength) ? XingSeekTable($0, audioStart: audioStart) : nil }
    }

    private var constantLine: XingSeekTable? {
        guard isConstantBitrate, info?.kind ?? .info == .info else { return nil }
        return headerLine
    }

    private var start: XingSeekTable.Point { XingSeekTable.Point(packet: 0, byte: Double(audioStart)) }
    /// The end of the last counted packet.
    private var frontier: XingSeekTable.Point { .init(packet: Double(packets), byte: start.byte + Double(packetBytes)) }

    private var headerLine: XingSeekTable? {
        guard let bitrate = timeline.runs.first.header.bitrate else { return nil }
        if let lastFormat { return line(behind: lastFormat, byteRate: Double(bitrate) / 8) }
        let bytes = Double(bitrate) / 8 * timeline.runs.first.packetSeconds
        return XingSeekTable([start, .init(packet: 1, byte: start.byte + bytes)])
    }

    private var meanLine: XingSeekTable? {
        guard packets > 0 else { return headerLine }
        guard let lastFormat else { return XingSeekTable([start, frontier]) }
        let counted = packets - lastFormat.packetNumber
        // A few packets of a new format are a worse estimate than all packets before them.
        guard counted >= Self.fewestPackets else {
            let time = timeline.runs.time(ofDecoded: timeline.decodedFrame(ofPacket: packets))
            return line(behind: lastFormat, byteRate: Double(packetBytes) / max(1e-3, time / .seconds(1)))
        }
        return XingSeekTable([start, .init(lastFormat), frontier])
    }

    /// Returns the line through the known points, continued after the last counted packet at `byteRate` bytes per
    /// second.
    private func line(behind lastFormat: SeekPoint, byteRate: Double) -> XingSeekTable? {
        let bytes = byteRate * timeline.runs.last.packetSeconds
        let next = XingSeekTable.Point(packet: frontier.packet + 1, byte: frontier.byte + bytes)
        return XingSeekTable([start, .init(lastFormat), frontier, next])
    }

    /// The line from the counted packets to the end of the file at the expected duration; `nil` unless the bit rate
    /// between them is similar to the mean so far. The first minutes of a variable bit rate predict the others badly,
    /// and its first seconds, which may be silence, still worse.
    private var expectedLine: XingSeekTable? {
        guard let expected, let totalLength, packets >= Self.fewestPackets, packetBytes > 0, lastFormat == nil
        else { return nil }
        let end = expected / .seconds(1) / timeline.runs.first.packetSeconds
        let bytes = Double(totalLength) - frontier.byte
        let mean = Double(packetBytes) / Double(packets)
        let likely = packets < Self.tellingPackets ? 0.2...5 : 0.5...2
        guard likely ~= bytes / (end - frontier.packet) / mean else { return nil }
        return XingSeekTable([start, frontier, .init(packet: end, byte: Double(totalLength))])
    }

    private static let fewestPackets: Int64 = 96
    /// The number of packets, about a minute of them, whose bit rate tells more of the rest.
    private static let tellingPackets: Int64 = 2400

    private func music(inPackets packets: Double, end: Int64?) -> Duration {
        let run = timeline.runs.run(ofPacket: Self.integer(packets.rounded(.down)))
        let frames = end ?? run.frame + Self.integer((packets - Double(run.packet)) * Double(run.packetFrames))
        return timeline.time(ofFrame: max(0, frames - gapless.start))
    }

    /// Returns the value rounded and limited to the range of real files.
    private static func integer(_ value: Double) -> Int64 { max(0, Int64(estimate: value)) }
}

extension XingSeekTable.Point {
    fileprivate init(_ point: SeekPoint) {
        self.init(packet: Double(point.packetNumber), byte: Double(point.offset))
    }
}

extension FormatRuns.Run {
    fileprivate var packetSeconds: Double { Double(header.samplesPerFrame) / Double(header.sampleRate) }
}
