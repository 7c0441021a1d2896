// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The authoritative map from packet number to file offset, built by the contiguous parse from byte 0.
///
/// The index keeps every 8th packet, in 5 bytes: 260 kB for three hours. A start at such a packet also keeps the
/// phase of the decoder's synthesis filter: a packet advances the filter's ring of 16 positions by 36 (12 in Layer I,
/// 18 in packets of one granule), so the ring is in its original position after 8 packets, and the samples are
/// bit-identical.
public struct FrameIndex: Sendable, Equatable {
    static let stride: Int64 = 8
    /// The maximum number of packets decoded before the requested one.
    ///
    /// At the lowest rate (8 kbit/s, 24 kHz, two channels) a packet adds 3 bytes to the reservoir: 255 bytes take 11
    /// runs of 8 packets. Up to 7 more packets are needed if the overlap begins inside a run, and 2 that overlap.
    private static let longestPreRoll: Int64 = 11 * 8 + 7 + 2
    /// The maximum number of formats. Joined files have only a few; only malicious files reach this limit.
    static let mostFormats = 1 << 16
    /// The unit of stored payloads in bytes. They are rounded down, so the stored number of bytes always exists.
    static let payloadUnit = 4

    /// Offsets of packets 0, 8, 16 …
    var offsets = AscendingOffsets()
    /// Payloads of packets 0..<8, 8..<16 …, only of complete runs.
    var payloads: [UInt8] = []
    /// The payload of the incomplete last run, in bytes.
    var runPayload = 0
    /// The formats of the stream, each with its first packet.
    private(set) var formats: [SeekPoint] = []
    /// The format runs, which map packets to frames and times; `nil` before the first packet.
    public private(set) var runs: FormatRuns?
    var frontierOffset: Int64 = 0

    public init() {}

    /// The number of indexed packets, contiguous from 0.
    public internal(set) var count: Int64 = 0

    /// True if the format has changed so often that no more packets are indexed.
    public var isFull: Bool { formats.count >= Self.mostFormats }

    /// The first packet; `nil` if no packet is indexed.
    public var first: SeekPoint? { formats.first }

    /// The format of the last indexed packet, with its first packet.
    var lastFormat: SeekPoint? { formats.last }

    /// The expected start of the packet after the last indexed one; `nil` if no packet is indexed.
    public var frontier: SeekPoint? {
        formats.last.map { $0.moved(to: frontierOffset, packetNumber: count) }
    }

    /// Adds the packet numbered `count`; ignores any other.
    public mutating func append(_ packet: MPEGPacket) {
        guard packet.number == count, packet.offset >= frontierOffset, packet.length > 0,
            packet.offset <= .max / 2, !isFull
        else { return }
        noteFormat(of: packet)
        if count % Self.stride == 0 { offsets.append(packet.offset) }
        runPayload += packet.header.reservoirGain(ofPacket: packet.length)
        count += 1
        frontierOffset = packet.offset + Int64(packet.length)
        guard count % Self.stride == 0 else { return }
        payloads.append(UInt8(clamping: runPayload / Self.payloadUnit))
        runPayload = 0
    }

    /// Returns the point to start parsing and decoding at so that packet `packetNumber` and all later ones are
    /// bit-identical to a decode from the start. The packets decoded before it are pre-roll; drop them by count.
    ///
    /// The pre-roll consists of the packets whose sound overlaps into the requested one, and before them as many as
    /// it takes to fill the bit reservoir of the first of those. The header does not state how much of the reservoir
    /// is used, so the whole reservoir is filled. From there on the decoder finds the same data as in a decode from
    /// the start, and its filter is in the same phase.
    /// - Parameter packetNumber: `0...count`; the result is `nil` for any other.
    public func seekPoint(for packetNumber: Int64) -> SeekPoint? {
        guard packetNumber >= 0, packetNumber <= count, let format = format(at: packetNumber)?.format, let runs
        else { return nil }
        let overlapStart = max(0, packetNumber - format.overlappingPackets)
        var run = min(overlapStart / Self.stride, Int64(offsets.count) - 1)
        var missing = format.reservoirLimit
        while run > 0, missing > 0, packetNumber - (run - 1) * Self.stride <= Self.longestPreRoll {
            run -= 1
            missing -= Int(payloads[Int(run)]) * Self.payloadUnit
        }
        // A decoder starts with its format, and its filter is in phase every 8 packets from there on. The packets
        // before the first such packet are skipped.
        if runs.run(ofPacket: packetNumber).packet % Self.stride != 0 { run = max(0, run - 1) }
        let start = run * Self.stride
        return self.format(at: start)?.moved(to: offsets[Int(run)], packetNumber: start)
    }

    /// Returns the packet that contains the byte, to within 8 packets; `nil` outside the indexed part.
    public func packetNumber(atOffset offset: Int64) -> Int64? {
        guard offset < frontierOffset, let run = offsets.lastIndex(notAbove: offset) else { return nil }
        let bytes = runRange(run)
        let packets = min(Self.stride, count - Int64(run) * Self.stride)
        let inRun = Double(offset - bytes.lowerBound) / Double(bytes.count) * Double(packets)
        return Int64(run) * Self.stride + min(packets - 1, Int64(inRun))
    }

    /// Returns the start of the packet, to within 8 packets; exact for every 8th packet and at the frontier. `nil`
    /// outside `0...count`.
    public func offset(ofPacket packetNumber: Int64) -> Int64? {
        guard count > 0, packetNumber >= 0, packetNumber <= count else { return nil }
        guard packetNumber < count else { return frontierOffset }
        let (run, place) = packetNumber.quotientAndRemainder(dividingBy: Self.stride)
        let bytes = runRange(Int(run))
        let packets = min(Self.stride, count - run * Self.stride)
        return bytes.lowerBound + Int64(Double(bytes.count) * Double(place) / Double(packets))
    }

    /// Returns the bytes from the start of the run to the start of the next, or to the frontier.
    func runRange(_ run: Int) -> Range<Int64> {
        offsets[run]..<(run + 1 < offsets.count ? offsets[run + 1] : frontierOffset)
    }

    private func format(at packetNumber: Int64) -> SeekPoint? {
        formats.lastSorted { $0.packetNumber <= packetNumber }
    }

    private mutating func noteFormat(of packet: MPEGPacket) {
        let point = SeekPoint(packet)
        if let last = formats.last, last.format.matches(packet.header),
            last.freeFormatLength == point.freeFormatLength
        {
            return
        }
        note(point)
    }

    /// Adds a format that begins after all known ones.
    mutating func note(_ point: SeekPoint) {
        formats.append(point)
        if runs == nil { runs = FormatRuns(point.format) }
        runs?.append(point.format, ofPacket: point.packetNumber)
    }
}

extension MPEGFrameHeader {
    /// The number of packets whose sound overlaps into the next: two granules (Layer III), or the filter's 480 PCM
    /// frames.
    var overlappingPackets: Int64 {
        samplesPerFrame < 1152 ? 2 : 1
    }
}

extension SeekPoint {
    fileprivate func moved(to offset: Int64, packetNumber: Int64) -> SeekPoint {
        SeekPoint(offset: offset, packetNumber: packetNumber, format: format, freeFormatLength: freeFormatLength)
    }
}
