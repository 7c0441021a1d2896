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

    /// - Parameters:
    ///   - info: the Xing, Info or VBRI frame before the first packet.
    ///   - gapless: made from the same `info` and `totalLength`.
    ///   - format: the first packet's header.
    ///   - packets: packets counted so far, contiguous from 0.
    ///   - packetBytes: the bytes those packets cover.
    ///   - audioStart: the first packet's file offset.
    ///   - totalLength: bytes of the whole file.
    ///   - isComplete: whether the parser has reached the end, so that `packets` is all there are.
    public init(
        info: StreamInfo?, gapless: GaplessFacts, format: MPEGFrameHeader, packets: Int64, packetBytes: Int64,
        audioStart: Int64, totalLength: Int64?, isComplete: Bool
    ) {
        self.info = info
        self.gapless = gapless
        self.format = format
        self.packets = packets
        self.packetBytes = packetBytes
        self.audioStart = audioStart
        self.totalLength = totalLength
        self.isComplete = isComplete
    }

    /// Exact once all is parsed; declared while a tag's promise is not contradicted; else estimated from the mean bit
    /// rate so far (the header's own before the first packet) and the file's length.
    public var duration: MediaDuration {
        if isComplete { return .exact(music(inPackets: Double(packets), end: gapless.end(afterPackets: packets))) }
        if let declared = gapless.declaredPackets, declared > 0, packets <= declared {
            return .declared(music(inPackets: Double(declared), end: gapless.end))
        }
        guard let totalLength, totalLength > audioStart, let line = meanLine else { return .unknown }
        return .estimated(music(inPackets: line.packet(atByte: Double(totalLength)), end: nil))
    }

    /// The time at which the byte sounds, an estimate; `nil` while nothing is known.
    public func time(atByte offset: Int64) -> Duration? {
        line.map { music(inPackets: $0.packet(atByte: Double(max(audioStart, offset))), end: nil) }
    }

    /// The byte that sounds at `time`, an estimate within the file; `nil` while nothing is known.
    public func byte(atTime time: Duration) -> Int64? {
        guard let line else { return nil }
        let frames = Double(pcm.frames(in: max(.zero, time))) + Double(gapless.start)
        let byte = Self.integer(line.byte(atPacket: frames / Double(format.samplesPerFrame)))
        return min(max(audioStart, byte), totalLength ?? .max)
    }

    private var pcm: AudioFormat { AudioFormat(sampleRate: format.sampleRate, channels: format.channels) }

    /// The tag's own table where it can be true, else the mean bit rate.
    private var line: SeekLine? {
        info.flatMap { $0.agrees(withTotalLength: totalLength) ? SeekLine($0) : nil } ?? meanLine
    }

    private var meanLine: SeekLine? {
        let start = SeekLine.Point(packet: 0, byte: Double(audioStart))
        if packets > 0 {
            return SeekLine([start, .init(packet: Double(packets), byte: start.byte + Double(packetBytes))])
        }
        guard let bitrate = format.bitrate else { return nil }
        let seconds = Double(format.samplesPerFrame) / Double(format.sampleRate)
        return SeekLine([start, .init(packet: 1, byte: start.byte + Double(bitrate) / 8 * seconds)])
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
