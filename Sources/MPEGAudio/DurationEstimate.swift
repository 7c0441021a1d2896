// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// How long a stream lasts, and where its times lie, as far as can be told before all of it is parsed.
///
/// Times count from the first PCM frame of music (`GaplessFacts.start`). A change of format in mid-file is not
/// reckoned with: all packets count as the first one's kind.
public struct DurationEstimate: Sendable, Equatable {
    private let info: StreamInfo?
    private let gapless: GaplessFacts
    private let format: MPEGFrameHeader
    private let packets: Int64
    private let packetBytes: Int64
    private let audioStart: Int64
    private let totalLength: Int64?
    private let isComplete: Bool
    private let isConstantBitrate: Bool

    /// - Parameters:
    ///   - info: the Xing, Info or VBRI frame before the first packet.
    ///   - gapless: made from the same `info` and `totalLength`.
    ///   - format: the first packet's header.
    ///   - packets: packets counted so far, contiguous from 0.
    ///   - packetBytes: the bytes those packets cover.
    ///   - audioStart: the first packet's file offset.
    ///   - totalLength: bytes of the whole file.
    ///   - isComplete: whether the parser has reached the end, so that `packets` is all there are.
    ///   - isConstantBitrate: whether all packets so far have the first one's bit rate.
    public init(
        info: StreamInfo?, gapless: GaplessFacts, format: MPEGFrameHeader, packets: Int64, packetBytes: Int64,
        audioStart: Int64, totalLength: Int64?, isComplete: Bool, isConstantBitrate: Bool = false
    ) {
        self.info = info
        self.gapless = gapless
        self.format = format
        self.packets = packets
        self.packetBytes = packetBytes
        self.audioStart = audioStart
        self.totalLength = totalLength
        self.isComplete = isComplete
        self.isConstantBitrate = isConstantBitrate
    }

    /// Exact once all is parsed; declared while a tag's promise is not contradicted; else estimated from the mean bit
    /// rate so far (the header's own before the first packet) and the file's length.
    public var duration: MediaDuration {
        if isComplete { return .exact(music(inPackets: Double(packets), end: gapless.end(afterPackets: packets))) }
        if let declared = gapless.declaredPackets, declared > 0, packets <= declared, !gapless.isContradicted {
            return .declared(music(inPackets: Double(declared), end: gapless.end))
        }
        guard let totalLength, totalLength > audioStart, let line = constantLine ?? meanLine
        else { return .unknown }
        return .estimated(music(inPackets: line.packet(atByte: Double(totalLength)), end: nil))
    }

    /// The time at which the byte sounds, an estimate; `nil` while nothing is known.
    public func time(atByte offset: Int64) -> Duration? {
        line.map { music(inPackets: $0.packet(atByte: Double(max(audioStart, offset))), end: nil) }
    }

    /// The byte that sounds at `time`, an estimate within the file; `nil` while nothing is known.
    public func byte(atTime time: Duration) -> Int64? {
        let frames = Double(pcm.frames(in: max(.zero, time))) + Double(gapless.start)
        return byte(atPacket: frames / Double(format.samplesPerFrame))
    }

    /// Where the packet begins, an estimate within the file; `nil` while nothing is known.
    public func byte(ofPacket number: Int64) -> Int64? { byte(atPacket: Double(number)) }

    /// The number of the packet that begins at the byte, an estimate; `nil` while nothing is known.
    public func packet(atByte offset: Int64) -> Int64? {
        line.map { Self.integer($0.packet(atByte: Double(max(audioStart, offset)))) }
    }

    private func byte(atPacket packet: Double) -> Int64? {
        guard let line else { return nil }
        return min(max(audioStart, Self.integer(line.byte(atPacket: packet))), totalLength ?? .max)
    }

    private var pcm: AudioFormat { AudioFormat(sampleRate: format.sampleRate, channels: format.channels) }

    /// At a constant bit rate the header's word, right to the packet however far; else the tag's own table or mean
    /// where it can be true; else the mean bit rate so far.
    private var line: SeekLine? { constantLine ?? tagLine ?? meanLine }

    private var tagLine: SeekLine? {
        info.flatMap { $0.agrees(withTotalLength: totalLength) ? SeekLine($0, audioStart: audioStart) : nil }
    }

    private var constantLine: SeekLine? {
        guard isConstantBitrate, info?.kind ?? .info == .info else { return nil }
        return headerLine
    }

    private var headerLine: SeekLine? {
        guard let bitrate = format.bitrate else { return nil }
        let seconds = Double(format.samplesPerFrame) / Double(format.sampleRate)
        let start = SeekLine.Point(packet: 0, byte: Double(audioStart))
        return SeekLine([start, .init(packet: 1, byte: start.byte + Double(bitrate) / 8 * seconds)])
    }

    private var meanLine: SeekLine? {
        guard packets > 0 else { return headerLine }
        let start = SeekLine.Point(packet: 0, byte: Double(audioStart))
        return SeekLine([start, .init(packet: Double(packets), byte: start.byte + Double(packetBytes))])
    }

    private func music(inPackets packets: Double, end: Int64?) -> Duration {
        let frames = end ?? Self.integer(packets * Double(format.samplesPerFrame))
        return pcm.duration(ofFrames: max(0, frames - gapless.start))
    }

    /// Rounded, and within what a file can have.
    private static func integer(_ value: Double) -> Int64 {
        guard value.isFinite else { return 0 }
        return Int64(min(max(value.rounded(), 0), 1e18))
    }
}
