// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// How one item's packets, bytes and time belong together, as far as its index and its tags tell. A pure value.
struct TrackTimeline {
    let packets: PacketFacts
    let gapless: GaplessFacts

    /// What the packet reader has found out.
    struct PacketFacts {
        var first: MPEGPacket
        var stream: IndexedStream
        var totalLength: Int64?

        var info: StreamInfo? { stream.info }
        var index: FrameIndex { stream.index }
        var isWholeIndexed: Bool { stream.isWhole }
    }

    private var header: MPEGFrameHeader { packets.first.header }

    /// Where its packets, frames and times are, as far as the index goes; beyond that all is of the last format.
    var frames: PacketTimeline { PacketTimeline(runs: runs, start: gapless.start) }
    private var runs: FormatRuns { packets.index.runs ?? FormatRuns(header) }

    /// Where lies what is not indexed.
    var estimate: DurationEstimate {
        packets.stream.estimate(from: packets.first, gapless, totalLength: packets.totalLength)
    }

    var duration: MediaDuration { estimate.duration }

    /// Why it is not all of what the file promises: the server keeps a stump of it.
    var shortfall: MediaFailure? { packets.stream.shortfall(header, totalLength: packets.totalLength) }

    /// The time `target` names; `nil` while a part of an unknown whole is asked for.
    func time(of target: TimeTarget) -> Duration? {
        switch target {
        case .time(let time): max(.zero, time)
        case .fraction(let part): duration.value.map { $0 * max(0, min(1, part)) }
        }
    }

    /// The time at which the byte at `offset` sounds: exact to 8 packets where it is indexed, else an estimate.
    func time(atByte offset: Int64) -> Duration? {
        if let packet = packets.index.packetNumber(atOffset: offset) {
            return frames.time(ofPacket: packet)
        }
        return estimate.time(atByte: offset)
    }

    /// The time that can be played of what has arrived up to the byte at `offset`.
    func time(ofArrived offset: Int64) -> Duration? {
        guard let frontier = packets.index.frontier, offset >= frontier.offset, let byteRate, byteRate > 0 else {
            return time(atByte: offset)
        }
        return frames.time(ofPacket: packets.index.count) + .seconds(Double(offset - frontier.offset) / byteRate)
    }

    /// Bytes per second of sound, of all of it where its length is known, else so far.
    /// - Parameter claimed: how long it lasts according to its feed.
    func byteRate(total: Int64?, claimed: Duration?) -> Double? {
        guard let total, let length = duration.value ?? claimed, length > .zero else { return byteRate }
        return Double(total) / (length / .seconds(1))
    }

    private var byteRate: Double? {
        guard let frontier = packets.index.frontier, packets.index.count > 0 else { return nil }
        let time = runs.time(ofDecoded: runs.decodedFrame(ofPacket: packets.index.count))
        return Double(frontier.offset - packets.first.offset) / (time / .seconds(1))
    }

    /// The stretches of time whose bytes are in `extents`.
    func buffered(_ extents: ByteRangeSet) -> [Range<Duration>] {
        let end = duration.value
        return extents.ranges.compactMap { range in
            guard let from = time(atByte: max(range.lowerBound, packets.first.offset)),
                let to = range.upperBound == packets.totalLength ? end : time(atByte: range.upperBound),
                from < to
            else { return nil }
            return from..<to
        }
    }
}
