// SPDX-License-Identifier: GPL-3.0-or-later

/// The range of PCM frames of a decoded stream that are music: from `start` up to `end`, counted from packet 0's
/// first.
public struct GaplessFacts: Sendable, Equatable {
    /// The delay of a Layer III decoder in PCM frames.
    public static let decoderDelay: Int64 = 529
    /// No trimming information: all frames are kept.
    public static let none = GaplessFacts(start: 0, end: nil, declaredPackets: nil)

    /// The first PCM frame to keep.
    public let start: Int64
    /// The first PCM frame after the music; `nil` keeps all frames. Valid only if the stream turns out to have
    /// `declaredPackets` packets, see `end(afterPackets:)`.
    public let end: Int64?
    /// The number of packets that a tag declares.
    public let declaredPackets: Int64?
    /// True if the length of the file does not match the tag. Only a count of the packets shows which is right.
    public let isContradicted: Bool

    public init(start: Int64, end: Int64?, declaredPackets: Int64?, isContradicted: Bool = false) {
        self.start = start
        self.end = end
        self.declaredPackets = declaredPackets
        self.isContradicted = isContradicted
    }

    /// Reads the LAME tag, or iTunes' comment without a LAME tag.
    ///
    /// A tag whose byte count does not fit `totalLength` is contradicted: bytes were inserted or cut off, or the
    /// server stated a wrong length. A tag that would trim everything is ignored.
    /// - Parameters:
    ///   - info: the Xing, Info or VBRI frame before the first packet.
    ///   - format: the first packet's header.
    ///   - totalLength: bytes of the whole file; `nil` while unknown.
    public init(info: StreamInfo?, iTunes: ITunSMPB? = nil, format: MPEGFrameHeader, totalLength: Int64?) {
        let samples = Int64(format.samplesPerFrame)
        let isContradicted = info.map { !$0.agrees(withTotalLength: totalLength) } ?? false
        self = Self.lame(info, isContradicted, samplesPerPacket: samples, layer: format.layer)
            ?? iTunes.flatMap { Self.iTunes($0, samplesPerPacket: samples) }
            ?? GaplessFacts(
                start: 0, end: nil, declaredPackets: info?.declaredFrames, isContradicted: isContradicted)
    }

    /// Returns the end to trim at if the stream has ended after `packets` packets; `nil` if the tag is disproved.
    public func end(afterPackets packets: Int64) -> Int64? { packets == declaredPackets ? end : nil }

    /// Returns the end in a stream whose packets do not all have as many PCM frames as the first one.
    public func end(in runs: FormatRuns) -> Int64? {
        guard let end, let declaredPackets, runs.isMixed else { return end }
        let (alike, overflow) = declaredPackets.multipliedReportingOverflow(by: runs.first.packetFrames)
        guard !overflow else { return end }
        return max(start, end + runs.decodedFrame(ofPacket: declaredPackets) - alike)
    }

    private static func lame(
        _ info: StreamInfo?, _ isContradicted: Bool, samplesPerPacket: Int64, layer: MPEGFrameHeader.Layer
    ) -> GaplessFacts? {
        guard let info, layer == .iii, let encoder = info.encoder, let delay = info.encoderDelay,
            let padding = info.encoderPadding, trimmers.contains(where: encoder.hasPrefix)
        else { return nil }
        let start = Int64(delay) + decoderDelay
        guard let declared = info.declaredFrames, let total = product(declared, samplesPerPacket) else {
            return GaplessFacts(start: start, end: nil, declaredPackets: nil)
        }
        guard Int64(delay) + Int64(padding) < total else { return GaplessFacts.none }
        let end = min(total, total - Int64(padding) + decoderDelay)
        return GaplessFacts(
            start: start, end: max(start, end), declaredPackets: declared, isContradicted: isContradicted)
    }

    private static func iTunes(_ facts: ITunSMPB, samplesPerPacket: Int64) -> GaplessFacts? {
        let (end, overflow) = facts.delay.addingReportingOverflow(facts.frames)
        let (total, overflowToo) = end.addingReportingOverflow(facts.padding)
        guard !overflow, !overflowToo, facts.frames > 0, facts.delay >= 0, facts.padding >= 0,
            max(facts.delay, facts.padding) <= longestITunesTrim
        else { return nil }
        let packets = total / samplesPerPacket + (total % samplesPerPacket == 0 ? 0 : 1)
        return GaplessFacts(start: facts.delay, end: end, declaredPackets: packets)
    }

    /// Encoders whose delay and padding have the same meaning as LAME's.
    private static let trimmers = ["LAME", "L3.99", "Lavc", "Lavf", "GOGO"]

    /// The maximum believed delay or padding: one second at 48 kHz, more than any encoder adds.
    private static let longestITunesTrim: Int64 = 48000

    private static func product(_ packets: Int64, _ samples: Int64) -> Int64? {
        let (total, overflow) = packets.multipliedReportingOverflow(by: samples)
        return overflow ? nil : total
    }
}
