// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
package import Media

extension MPEGTrackReader {
    /// Compares this version with a later one whose packets were indexed.
    /// - Returns: `nil` if they have no packets in common.
    package func times(in later: any TrackReader) -> VersionTimes? {
        guard let later = later as? MPEGTrackReader, let map, let newMap = later.map else { return nil }
        let (indexed, new) = (hashedPackets(map), later.hashedPackets(newMap))
        var spans = indexed.spans(in: new)
        if let island = packets.island, island.correction == nil, let first = island.first {
            let end = map.frames.time(ofPacket: indexed.hashes.count)
            let stranded = StrandedPackets(
                hashes: island.hashes, offset: first.offset, audioStart: map.audioStart, earliest: end)
            spans.append(stranded.spans(in: new, newMap), afterGapFrom: end)
        }
        return VersionTimes(known: spans)
    }

    private func hashedPackets(_ map: MPEGTimeline) -> HashedPackets {
        HashedPackets(
            hashes: packets.hashes, time: { map.frames.time(ofPacket: $0) },
            offset: { map.packets.index.offset(ofPacket: $0) })
    }
}

extension VersionTimes {
    /// - Returns: `nil` without spans.
    init?(known spans: [Span]) {
        guard !spans.isEmpty else { return nil }
        self.init(spans)
    }
}

/// Consecutive packets of a version, whose times are known.
struct HashedPackets {
    let hashes: PacketHashes
    /// Returns the time at which a packet begins; the end for the number after the last one.
    let time: (Int64) -> Duration?
    /// Returns the offset of a packet, to within a few packets; `nil` if it is unknown.
    let offset: (Int64) -> Int64?

    /// Returns the spans that another version contains.
    func spans(in new: HashedPackets) -> [VersionTimes.Span] {
        VersionAlignment(old: hashes, new: new.hashes).runs.compactMap { run in
            guard let start = time(run.old.lowerBound), let end = time(run.old.upperBound),
                let place = new.time(run.newStart), start < end
            else { return nil }
            return VersionTimes.Span(old: start..<end, new: place, bytes: bytes(of: run, in: new))
        }
    }

    private func bytes(of run: VersionAlignment.Run, in new: HashedPackets) -> VersionTimes.Span.Bytes? {
        guard let start = offset(run.old.lowerBound), let end = offset(run.old.upperBound),
            let place = new.offset(run.newStart), start < end
        else { return nil }
        return VersionTimes.Span.Bytes(old: start..<end, new: place)
    }
}

/// Consecutive packets of a version of which only the places in the file are known, because bytes before them are
/// missing.
struct StrandedPackets {
    let hashes: PacketHashes
    /// The offset of the first of them.
    let offset: Int64
    /// The offset of the first packet of the file.
    let audioStart: Int64
    /// The end of the packets before the missing bytes.
    let earliest: Duration

    /// Returns the spans that another version contains, with estimated times in this version: the bytes that one of the
    /// two has more than the other before the first span are taken to have the bit rate of the other version. The
    /// packets between two spans are about as long as those of the later one.
    func spans(in new: HashedPackets, _ timeline: any TrackTimeline) -> [VersionTimes.Span] {
        guard let rate = timeline.byteRate(total: nil, expected: nil), rate > 0 else { return [] }
        var last: (packet: Int64, time: Duration, offset: Int64)?
        return VersionAlignment(old: hashes, new: new.hashes).runs.compactMap { run in
            guard let time = new.time(run.newStart), let end = new.time(run.new.upperBound), time < end,
                let bytes = places(of: run, in: new, after: last.map { ($0.packet, $0.offset) } ?? (0, offset))
            else { return nil }
            let more = Double((bytes.new - timeline.audioStart) - (bytes.old.lowerBound - audioStart))
            let estimate = max(earliest, time - .microseconds(Int64(estimate: more / rate * 1e6)))
            let packet: Duration = (end - time) / run.count
            let start = last.map { $0.time + packet * (run.oldStart - $0.packet) } ?? estimate
            last = (run.old.upperBound, start + (end - time), bytes.old.upperBound)
            return VersionTimes.Span(old: start..<start + (end - time), new: time, bytes: bytes, isExact: false)
        }
    }

    /// Returns the places of a run. Its packets are equal in both versions, and those before it are about as long.
    /// - Parameter before: an earlier packet whose offset is known.
    private func places(
        of run: VersionAlignment.Run, in new: HashedPackets, after before: (packet: Int64, offset: Int64)
    ) -> VersionTimes.Span.Bytes? {
        guard let place = new.offset(run.newStart), let end = new.offset(run.new.upperBound), place < end
        else { return nil }
        let length = end - place
        let distance = Double(length) / Double(run.count) * Double(run.oldStart - before.packet)
        let start = before.offset + Int64(estimate: distance)
        return VersionTimes.Span.Bytes(old: start..<start + length, new: place)
    }
}

extension [VersionTimes.Span] {
    /// Adds spans that follow a part of the old version that was not read. The second half of that part moves with
    /// them.
    /// - Parameter end: the time at which that part begins.
    mutating func append(_ later: [VersionTimes.Span], afterGapFrom end: Duration) {
        let newEnd = last.map { $0.new + ($0.old.upperBound - $0.old.lowerBound) } ?? .zero
        guard let first = later.first, first.old.lowerBound >= last?.old.upperBound ?? .zero, first.new >= newEnd
        else { return }
        let reach = Swift.min((first.old.lowerBound - end) / 2, first.new - newEnd)
        if reach > .zero { append(first.preceding(reach)) }
        append(contentsOf: later)
    }
}

extension VersionTimes.Span {
    /// Returns the sound of this duration before the span, if it is the same in both versions.
    fileprivate func preceding(_ reach: Duration) -> VersionTimes.Span {
        let part = reach / (old.upperBound - old.lowerBound)
        let bytes = bytes.map { bytes in
            let length = Int64(estimate: part * Double(bytes.old.count))
            return Bytes(old: bytes.old.lowerBound - length..<bytes.old.lowerBound, new: bytes.new - length)
        }
        return VersionTimes.Span(
            old: old.lowerBound - reach..<old.lowerBound, new: new - reach, bytes: bytes, isExact: false)
    }
}
