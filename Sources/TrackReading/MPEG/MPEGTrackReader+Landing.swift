// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

extension MPEGTrackReader {
    /// Returns the approach to `time`, after indexing all downloaded bytes if it depends on an estimate.
    func approach(to time: Duration) -> SeekApproach? {
        let look = { [self] in
            map?.approach(
                to: time, source.downloadProgress, expected: section.expectedDuration, isExact: section.isExact)
        }
        if section.isExact { _ = packets.survey(budget: .max / 2) }
        if case .island = look() { _ = packets.survey(budget: 64 << 20) }
        return look()
    }

    /// Begins to decode if a packet reaches the time. A saved estimate is computed again at the packet from which it
    /// counts, where it is exact.
    func reach(_ time: Duration, with packet: MPEGPacket) -> TrackStep {
        var time = time
        if let anchor = target?.anchor, anchor.totalLength == source.downloadProgress.total {
            if !packets.index.isFull, awaitsAnchor(of: target, at: packet.offset) { return .progressed }
            time = target.flatMap { map?.time(of: $0) } ?? time
            goal = .reach(time)
            if packet.offset >= anchor.offset || packets.index.isFull { target = .time(time) }
        }
        let number = frames?.packet(at: time) ?? 0
        guard number < packets.index.count || packets.index.isFull else { return .progressed }
        return beginApproach(to: time, at: packet)
    }

    /// Resumes at `point` unless the parser is already there.
    func resume(from point: SeekPoint, behind packet: MPEGPacket?) {
        guard packets.island != nil || packet.map({ point.packetNumber != $0.number + 1 }) ?? true else { return }
        packets.resume(at: point)
    }

    /// Waits for the next byte, unless the server turns out to send only from the beginning, or to need longer for the
    /// bytes before the target than for another request.
    func waitOrChangeApproach() -> TrackStep {
        switch goal {
        case .refillReservoir(_, _, let time) where !source.downloadProgress.canSkipAhead:
            return beginApproach(to: time)
        case .reach(let time) where time != lostTime:
            let time = target.flatMap { map?.time(of: $0) } ?? time
            if case .island = approach(to: time) { return beginApproach(to: time) }
        case .land, .reach, .refillReservoir, .play, .end: break
        }
        return .notYetAvailable
    }

    /// Counts the packets up to a time, because no packet was found at its estimated place.
    func count(upTo time: Duration) -> TrackStep {
        guard let frontier = packets.index.frontier else { return .ended }
        (goal, lostTime) = (.reach(time), time)
        packets.resume(at: frontier)
        return .progressed
    }
}
