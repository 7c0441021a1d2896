// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The way to reach a time of an item.
enum SeekApproach: Equatable {
    /// Decode from this indexed packet on, and start at `frame`.
    case indexed(SeekPoint, frame: Int64)
    /// Parse from the last indexed packet on until the packet played at the time is indexed.
    case follow(SeekPoint)
    /// Read at the estimated position, without the bytes before it, and start at `time` or soon after it.
    case island(offset: Int64, time: Duration)
    /// The item ends before the time.
    case end
}

extension MPEGTimeline {
    /// Returns the approach to a time.
    /// - Parameters:
    ///   - arrival: the download progress of the item.
    ///   - expected: the duration that the whole track is expected to have.
    ///   - isExact: true if no estimate may be used.
    /// - Returns: `nil` while too little is indexed to decide.
    func approach(
        to time: Duration, _ downloadProgress: DownloadProgress, expected: Duration?, isExact: Bool = false
    ) -> SeekApproach? {
        let frame = frames.frame(at: time)
        let number = frames.packet(holding: frame)
        if number < packets.index.count {
            return packets.index.seekPoint(for: number).map { .indexed($0, frame: frame) }
        }
        if packets.isWholeIndexed || packets.index.isFull { return .end }
        if isExact { return packets.index.frontier.map { .follow($0) } }
        guard let frontier = packets.index.frontier, canEstimate || !downloadProgress.canSkipAhead else { return nil }
        if isBeyondEnd(
            number, downloadProgress, isBeyondExpected: expected.map { time > $0 * 1.25 + .seconds(60) } ?? false)
        {
            return .end
        }
        return island(number, time, frontier, downloadProgress) ?? .follow(frontier)
    }

    /// Returns true if the item ends before the packet, although not all of it is counted. The file's own tag is used
    /// if the length agrees with it. Otherwise the end is an estimate, which a part at another bit rate may falsify.
    /// The estimate is used if the expected duration agrees, if no more bytes arrive, or if it is based on a twentieth
    /// of the file and the target is far beyond it.
    private func isBeyondEnd(_ number: Int64, _ downloadProgress: DownloadProgress, isBeyondExpected: Bool) -> Bool {
        guard let total = downloadProgress.total, let last = estimate.packet(atByte: total),
            !canCountAll(downloadProgress)
        else { return false }
        if let info = packets.info, info.declaredBytes != nil, info.agrees(withTotalLength: total),
            let declared = gapless.declaredPackets
        {
            return number > declared + Self.lastPackets
        }
        guard number - last > max(Self.lastPackets, last / 4) else { return false }
        if case .failed = downloadProgress.condition { return true }
        let counted = (packets.index.frontier?.offset ?? 0) - packets.first.offset
        return isBeyondExpected || counted > total / 20 && number - last > last / 2
    }

    /// Returns true if every byte after the counted ones has arrived.
    private func canCountAll(_ downloadProgress: DownloadProgress) -> Bool {
        guard let total = downloadProgress.total, let frontier = packets.index.frontier else { return false }
        return frontier.offset >= total || downloadProgress.extents.contains(frontier.offset..<total)
    }

    /// Returns an island; `nil` if it is better to wait for the bytes in between.
    private func island(
        _ number: Int64, _ time: Duration, _ frontier: SeekPoint, _ downloadProgress: DownloadProgress
    ) -> SeekApproach? {
        guard downloadProgress.canSkipAhead, let total = downloadProgress.total,
            let place = estimate.byte(ofPacket: number)
        else { return nil }
        let held = downloadProgress.extents.contiguousEnd(from: frontier.offset)
        let isHeld = downloadProgress.extents.contains(place..<min(place + 1, total)) && place > held
        guard isHeld || place - held > SkipDistance.limit(bytesPerSecond: downloadProgress.bytesPerSecond) else {
            return nil
        }
        let header = packets.index.runs?.last.header ?? packets.first.header
        let preRoll = ReservoirFill.packets(format: header, packetLength: packetLength(near: place))
        // If the target seems to lie beyond the end, the packets must be counted first.
        guard let last = estimate.packet(atByte: total), number <= last else { return nil }
        let landing = min(number, max(0, last - Self.lastPackets))
        guard let offset = estimate.byte(ofPacket: max(0, landing - preRoll)), offset > frontier.offset
        else { return nil }
        return .island(offset: offset, time: landing == number ? time : frames.time(ofPacket: landing))
    }

    /// True if the estimate is reliable: a tag describes all packets, the first few packets do not.
    private var canEstimate: Bool { packets.info != nil || packets.index.count >= Self.fewestPackets }

    /// Returns true if the item is known to end before `time`.
    func ends(before time: Duration, _ downloadProgress: DownloadProgress, expected: Duration?) -> Bool {
        if case .exact(let end) = duration, time >= end { return true }
        return approach(to: time, downloadProgress, expected: expected) == .end
    }

    private static var fewestPackets: Int64 { 96 }

    /// Slightly more than the number of packets that fill the reservoir.
    private static var lastPackets: Int64 { 12 }

    private func packetLength(near offset: Int64) -> Int {
        let packet = estimate.packet(atByte: offset) ?? 0
        guard let from = estimate.byte(ofPacket: packet), let next = estimate.byte(ofPacket: packet + 1) else {
            return packets.first.length
        }
        return Int(clamping: max(1, next - from))
    }
}
