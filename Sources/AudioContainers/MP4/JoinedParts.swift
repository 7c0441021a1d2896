// SPDX-License-Identifier: GPL-3.0-or-later

/// The parts of the media that the sample durations omit in a file that was joined from several without a new encoding.
///
/// Each part ends inside its last packet, and begins with packets that only prepare the decoder. Their durations are
/// shorter than those of other packets (ISO/IEC 14496-12 section 8.6.1.2). FFmpeg gives the last packet of a part a
/// duration of 1, and its rest to the packets of the next part that prepare the decoder. So the durations of packets
/// that follow each other are summed: they tell how much of the first of them is played.
///
/// Only for packets whose duration is a whole number of units: timescales such as 1000 round.
struct JoinedParts: Sendable {
    /// The longest table to read before the first packet, in entries.
    private static let longestTable: Int64 = 16_384
    /// The most packets at a border that are shorter.
    static let mostAtBorder: Int64 = 16
    /// The share of a packet that a border omits at least; less is an uneven clock.
    private static let leastShare: Int64 = 64

    private var times: FileTable
    private let packetDuration: Int64
    private var entry: Int64 = 0
    private var packet: Int64 = 0
    /// The packets that are shorter than others before entry `entry`, and the sum of their durations.
    private var border: (packets: Int64, duration: Int64) = (0, 0)
    private var borderPackets: Int64 = 0
    private var omissions: [Range<Int64>] = []

    /// - Returns: `nil` if the tables cannot be those of a joined file.
    init?(_ track: TrackBox) {
        guard case .aac(let config)? = track.description?.codec, let times = track.samples.times,
            (3...Self.longestTable).contains(times.count), track.duration > 0,
            let count = SampleTable(track.samples, readsTimes: false)?.count
        else { return nil }
        let clock = TrackClock(.aac(config), timescale: track.timescale)
        guard let duration = clock.packetDuration, count.multipliedClamping(by: duration) > track.duration
        else { return nil }
        (self.times, packetDuration) = (times, duration)
    }

    /// Reads the durations on.
    /// - Returns: the omitted parts, in units of the media timescale, as if every packet had the same duration.
    mutating func read(from window: ByteWindow) throws(Interruption) -> [Range<Int64>] {
        while entry < times.count {
            try times.require(entry, from: window)
            let (count, duration) = (times.number(at: entry, length: 4), times.number(at: entry, byte: 4, length: 4))
            guard add(count, duration) else { return [] }
            entry += 1
        }
        // The duration of the media states the end in the last packets.
        return borderPackets.multipliedClamping(by: 8) < packet ? omissions : []
    }

    /// Counts packets of equal duration.
    /// - Returns: false if the durations are those of no joined file.
    private mutating func add(_ count: Int64, _ duration: Int64) -> Bool {
        guard duration <= packetDuration else { return false }
        if duration == packetDuration, count > 0, !endBorder() { return false }
        packet += min(count, ByteWindow.farthest - packet)
        guard duration < packetDuration else { return true }
        border = (border.packets + count, border.duration + count * duration)
        return border.packets <= Self.mostAtBorder
    }

    private mutating func endBorder() -> Bool {
        guard border.packets > 0 else { return true }
        let end = packet.multipliedClamping(by: packetDuration)
        let omitted = border.packets * packetDuration - border.duration
        omissions.append(end - omitted..<end)
        borderPackets += border.packets
        border = (0, 0)
        return omitted >= packetDuration / Self.leastShare
    }
}
