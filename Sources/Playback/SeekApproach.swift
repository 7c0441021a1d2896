// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// How to get to a time of an item.
enum SeekApproach: Equatable {
    /// To decode from this indexed packet on, and to start at `frame`.
    case indexed(SeekPoint, frame: Int64)
    /// To parse on from the last packet indexed until the one that sounds then is.
    case follow(SeekPoint)
    /// To read where it is likely to be, without what lies in between, and to start at `time` or soon after it.
    case island(offset: Int64, time: Duration)
    /// The item ends before it.
    case end
}

extension TrackTimeline {
    /// - Parameters:
    ///   - arrival: what has arrived of the item.
    ///   - claimed: how long it lasts according to its feed.
    /// - Returns: `nil` as long as too little is indexed to tell.
    func approach(to time: Duration, _ arrival: Arrival, claimed: Duration?) -> SeekApproach? {
        let frame = frames.frame(at: time)
        let number = frames.packet(holding: frame)
        if number < packets.index.count {
            return packets.index.seekPoint(for: number).map { .indexed($0, frame: frame) }
        }
        if packets.isWholeIndexed || packets.index.isFull { return .end }
        guard let frontier = packets.index.frontier, canEstimate || !arrival.canSkipAhead else { return nil }
        if isBeyondEnd(number, arrival, isBeyondClaim: claimed.map { time > $0 * 1.25 + .seconds(60) } ?? false) {
            return .end
        }
        return island(number, time, frontier, arrival) ?? .follow(frontier)
    }

    /// Whether the item ends before the packet although not all of it was counted. The file's own tag is believed where
    /// the length agrees with it. A part at another bit rate may make an estimate wrong: it is believed where the feed
    /// agrees, where no more bytes come, or where it comes from a twentieth of the file and the place is far beyond it.
    private func isBeyondEnd(_ number: Int64, _ arrival: Arrival, isBeyondClaim: Bool) -> Bool {
        guard let total = arrival.total, let last = estimate.packet(atByte: total), !canCountAll(arrival)
        else { return false }
        if packets.info?.declaredBytes != nil, !gapless.isContradicted, let declared = gapless.declaredPackets {
            return number > declared + Self.lastPackets
        }
        guard number - last > max(Self.lastPackets, last / 4) else { return false }
        if case .failed = arrival.condition { return true }
        let counted = (packets.index.frontier?.offset ?? 0) - packets.first.offset
        return isBeyondClaim || counted > total / 20 && number - last > last / 2
    }

    /// Every byte behind those counted has arrived.
    private func canCountAll(_ arrival: Arrival) -> Bool {
        guard let total = arrival.total, let frontier = packets.index.frontier else { return false }
        return frontier.offset >= total || arrival.extents.contains(frontier.offset..<total)
    }

    /// `nil` where it is better to wait for what lies in between.
    private func island(
        _ number: Int64, _ time: Duration, _ frontier: SeekPoint, _ arrival: Arrival
    ) -> SeekApproach? {
        guard arrival.canSkipAhead, let total = arrival.total, let place = estimate.byte(ofPacket: number)
        else { return nil }
        let held = arrival.extents.contiguousEnd(from: frontier.offset)
        let isHeld = arrival.extents.contains(place..<min(place + 1, total)) && place > held
        guard isHeld || place - held > SkipDistance.limit(bytesPerSecond: arrival.bytesPerSecond) else { return nil }
        let header = packets.index.runs?.last.header ?? packets.first.header
        let preRoll = ReservoirFill.packets(format: header, packetLength: packetLength(near: place))
        // Whether what seems to lie behind the end does so is seen when all of it was counted.
        guard let last = estimate.packet(atByte: total), number <= last else { return nil }
        let landing = min(number, max(0, last - Self.lastPackets))
        guard let offset = estimate.byte(ofPacket: max(0, landing - preRoll)), offset > frontier.offset
        else { return nil }
        return .island(offset: offset, time: landing == number ? time : frames.time(ofPacket: landing))
    }

    /// A tag speaks for all packets, the first few do not.
    private var canEstimate: Bool { packets.info != nil || packets.index.count >= Self.fewestPackets }

    /// Whether the item is known to end before `time`.
    func ends(before time: Duration, _ arrival: Arrival, claimed: Duration?) -> Bool {
        if case .exact(let end) = duration, time >= end { return true }
        return approach(to: time, arrival, claimed: claimed) == .end
    }

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
