// SPDX-License-Identifier: GPL-3.0-or-later

/// The authoritative map from packet number to file offset, grown by the contiguous parse from byte 0.
///
/// Every 8th packet is kept, in 5 bytes: 260 kB for three hours. Starting at such a packet also keeps the phase of the
/// decoder's synthesis filter: a packet turns its ring of 16 places by 36, 12 in Layer I, 18 where it is one granule,
/// so that after 8 packets the ring stands as before, and the samples come out equal to the last bit.
public struct FrameIndex: Sendable, Equatable {
    static let stride: Int64 = 8
    /// The most packets decoded in advance of the one wanted.
    ///
    /// At the lowest rate (8 kbit/s, 24 kHz, two channels) a packet fills the reservoir by 3 bytes: 255 take 11 runs of
    /// 8 packets; there are up to 7 more where the overlap begins inside a run, and 2 that overlap.
    private static let longestPreRoll: Int64 = 11 * 8 + 7 + 2
    /// The most formats kept: joined files have a few, so that only hostile ones end here.
    static let mostFormats = 1 << 16
    /// Payload is kept in units of this many bytes, rounded down: what is promised is there.
    static let payloadUnit = 4

    /// Offsets of packets 0, 8, 16 …
    var offsets = AscendingOffsets()
    /// Payload of packets 0..<8, 8..<16 …, only of complete runs.
    var payloads: [UInt8] = []
    /// Payload of the run under way, in bytes.
    var runPayload = 0
    /// The formats met, each with its first packet.
    private(set) var formats: [SeekPoint] = []
    /// What the formats make of frames and times; `nil` before the first packet.
    public private(set) var runs: FormatRuns?
    var frontierOffset: Int64 = 0

    public init() {}

    /// Packets indexed, all of them from 0 on without a hole.
    public internal(set) var count: Int64 = 0

    /// Whether the format changed so often that nothing more is indexed.
    public var isFull: Bool { formats.count >= Self.mostFormats }

    /// The first packet; `nil` before it.
    public var first: SeekPoint? { formats.first }

    /// The format of the last packet indexed, with its first packet.
    var lastFormat: SeekPoint? { formats.last }

    /// Where the packet after the last one indexed is expected; `nil` before the first.
    public var frontier: SeekPoint? {
        formats.last.map { $0.moved(to: frontierOffset, packetNumber: count) }
    }

    /// Adds the packet numbered `count`; any other is ignored.
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

    /// Where to start parsing and decoding so that packet `packetNumber` and all after it come out as in a linear
    /// decode, bit by bit. What is decoded before it is pre-roll, to be dropped by count.
    ///
    /// The pre-roll holds the packets whose sound overlaps into the one wanted, and before them as many as it takes to
    /// fill the bit reservoir of the first of those: the header does not say how much of it is used, so all of it.
    /// From there on the decoder finds what it finds in a linear decode, and its filter is in the same phase.
    /// - Parameter packetNumber: `0...count`; `nil` is returned for any other.
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
        // A decoder begins with its format, and its filter is in phase every 8 packets from there on: those in front of
        // the first such packet are skipped.
        if runs.run(ofPacket: packetNumber).packet % Self.stride != 0 { run = max(0, run - 1) }
        let start = run * Self.stride
        return self.format(at: start)?.moved(to: offsets[Int(run)], packetNumber: start)
    }

    /// The packet that holds the byte, to within 8 packets; `nil` outside the indexed part.
    public func packetNumber(atOffset offset: Int64) -> Int64? {
        guard offset < frontierOffset, let run = offsets.lastIndex(notAbove: offset) else { return nil }
        let bytes = runRange(run)
        let packets = min(Self.stride, count - Int64(run) * Self.stride)
        let inRun = Double(offset - bytes.lowerBound) / Double(bytes.count) * Double(packets)
        return Int64(run) * Self.stride + min(packets - 1, Int64(inRun))
    }

    /// Where the packet starts, to within 8 packets; exact for every 8th and at the frontier. `nil` outside
    /// `0...count`.
    public func offset(ofPacket packetNumber: Int64) -> Int64? {
        guard count > 0, packetNumber >= 0, packetNumber <= count else { return nil }
        guard packetNumber < count else { return frontierOffset }
        let (run, place) = packetNumber.quotientAndRemainder(dividingBy: Self.stride)
        let bytes = runRange(Int(run))
        let packets = min(Self.stride, count - run * Self.stride)
        return bytes.lowerBound + Int64(Double(bytes.count) * Double(place) / Double(packets))
    }

    /// The bytes from the start of the run to the start of the next, or to the frontier.
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

    /// Takes up a format that begins behind all those known.
    mutating func note(_ point: SeekPoint) {
        formats.append(point)
        if runs == nil { runs = FormatRuns(point.format) }
        runs?.append(point.format, ofPacket: point.packetNumber)
    }
}

extension MPEGFrameHeader {
    /// Packets whose sound reaches into the next: two granules (Layer III), or the filter's 480 PCM frames.
    var overlappingPackets: Int64 {
        samplesPerFrame < 1152 ? 2 : 1
    }
}

extension SeekPoint {
    fileprivate func moved(to offset: Int64, packetNumber: Int64) -> SeekPoint {
        SeekPoint(offset: offset, packetNumber: packetNumber, format: format, freeFormatLength: freeFormatLength)
    }
}
