// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// How to get to a frame of an item.
enum SeekApproach: Equatable {
    /// To decode from this indexed packet on.
    case indexed(SeekPoint)
    /// To parse on from the last packet indexed until this one is.
    case follow(SeekPoint, packet: Int64)
    /// To read where it is likely to be, without what lies in between, and to start at `frame` or soon after it.
    case island(offset: Int64, frame: Int64)
    /// The item ends before it.
    case end
}

extension TrackTimeline {
    /// - Parameters:
    ///   - frame: a trimmed frame.
    ///   - arrival: what has arrived of the item.
    /// - Returns: `nil` as long as too little is indexed to tell.
    func approach(to frame: Int64, _ arrival: Arrival) -> SeekApproach? {
        let number = packet(ofFrame: frame)
        if number < packets.index.count { return packets.index.seekPoint(for: number).map(SeekApproach.indexed) }
        if packets.isWholeIndexed { return .end }
        guard let frontier = packets.index.frontier, canEstimate || !arrival.canSkipAhead else { return nil }
        return island(number, frame, frontier, arrival) ?? .follow(frontier, packet: number)
    }

    /// `nil` where it is better to wait for what lies in between.
    private func island(
        _ number: Int64, _ frame: Int64, _ frontier: SeekPoint, _ arrival: Arrival
    ) -> SeekApproach? {
        guard arrival.canSkipAhead, let total = arrival.total, let place = estimate.byte(ofPacket: number)
        else { return nil }
        let held = arrival.extents.contiguousEnd(from: frontier.offset)
        let isHeld = arrival.extents.contains(place..<min(place + 1, total)) && place > held
        guard isHeld || place - held > SkipDistance.limit(bytesPerSecond: arrival.bytesPerSecond) else { return nil }
        let preRoll = ReservoirFill.packets(format: packets.first.header, packetLength: packetLength(near: place))
        // Whoever asks for what lies behind the end hears the last packets.
        let last = estimate.packet(atByte: total) ?? number
        let landing = min(number, max(0, last - Self.lastPackets))
        guard let offset = estimate.byte(ofPacket: max(0, landing - preRoll)), offset > frontier.offset
        else { return nil }
        return .island(offset: offset, frame: landing == number ? frame : self.frame(ofPacket: landing))
    }

    /// A tag speaks for all packets, the first few do not.
    private var canEstimate: Bool { packets.info != nil || packets.index.count >= Self.fewestPackets }
    private static var fewestPackets: Int64 { 96 }

    /// Some more than the reservoir can ask for.
    private static var lastPackets: Int64 { 12 }

    private func packetLength(near offset: Int64) -> Int {
        let packet = estimate.packet(atByte: offset) ?? 0
        guard let from = estimate.byte(ofPacket: packet), let next = estimate.byte(ofPacket: packet + 1) else {
            return packets.first.length
        }
        return Int(clamping: max(1, next - from))
    }
}
