// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
package import MPEGAudio
package import Media

/// Comparing a version of an episode with the version that replaced it.
extension ContainerTrackReader {
    /// The hashes of the packets that are indexed from the start of the file on.
    package var hashes: PacketHashes { history.hashes }

    /// The codec whose packets are hashed; `nil` before the first one, and if its packets cannot be compared.
    package var coding: PacketCoding? { segments.first?.track.codec.coding }

    /// The offset of the next byte to index.
    package var surveyOffset: Int64 { surveyor?.readOffset ?? readOffset }

    /// Returns the time at which a packet, numbered from the start of the file, begins.
    package func time(ofPacket number: Int64) -> Duration? {
        history.place(of: number).map { segments[$0.segment].time(of: $0.frame) }
    }

    package var origin: VersionOrigin? {
        guard let coding, let next = decoding?.nextFrame else { return nil }
        // All downloaded packets help to find the position.
        while indexMore() {}
        let known = island ?? history
        let place = known.place(of: 0)
        let seconds = place.flatMap { start in
            known.end.map { segments[$0.segment].time(of: $0.frame) - segments[start.segment].time(of: start.frame) }
        }
        let rate = Double(known.hashes.count) / max(0.001, (seconds ?? .zero) / .seconds(1))
        let before = place.map { segments[$0.segment].time(of: $0.frame) } ?? .zero
        return VersionOrigin(
            packet: known.number(of: next, in: segment), hashes: known.hashes,
            first: island == nil ? 0 : Int64(rate * (before / .seconds(1))), coding: coding,
            limits: BreakLengths(packetsPerSecond: rate))
    }

    /// Compares this version with a later one whose packets were indexed.
    /// - Returns: `nil` if they have no packets in common.
    package func times(in later: any TrackReader) -> VersionTimes? {
        guard let later = later as? ContainerTrackReader, let map, let newMap = later.map else { return nil }
        let new = later.hashedPackets(later.history)
        var spans = hashedPackets(history).spans(in: new)
        let end = history.end.map { segments[$0.segment].time(of: $0.frame) } ?? .zero
        if let island, let estimated {
            // After the correction, the indexed packets include these.
            guard estimated.correction == nil, let first = estimated.first else { return VersionTimes(known: spans) }
            let stranded = StrandedPackets(
                hashes: island.hashes, offset: first.offset, audioStart: map.audioStart, earliest: end)
            spans.append(stranded.spans(in: new, newMap), afterGapFrom: end)
        } else if let island {
            spans.append(hashedPackets(island).spans(in: new), afterGapFrom: end)
        }
        return VersionTimes(known: spans)
    }

    private func hashedPackets(_ known: PacketHistory) -> HashedPackets {
        let offset = { [index] (number: Int64) in
            known.place(of: number).flatMap { index.offset(of: $0.frame, $0.segment) }
        }
        return HashedPackets(
            hashes: known.hashes,
            time: { [segments] number in known.place(of: number).map { segments[$0.segment].time(of: $0.frame) } },
            // The index ends with the start of its last packet.
            offset: { offset($0) ?? offset($0 - 1) })
    }

    /// Adds an indexed packet to the history.
    func remember(_ packet: AudioPacket, of segment: Int, from parser: any ContainerParser) {
        guard isCompared, let frame = parser.point?.frame else { return }
        let codec = segments[segment].track.codec
        parser.withBytes(of: packet) { history.append(packet, at: frame, of: segment, codec.comparedBytes(of: $0)) }
    }

    /// Adds a packet beyond the index to the history of those that follow each other.
    func rememberBeyondIndex(_ packet: AudioPacket) {
        guard isCompared, !isFollowingIndex, let frame = packet.frame else { return island = nil }
        if island?.isFollowed(by: frame, of: segment) != true { island = PacketHistory() }
        let codec = segments[segment].track.codec
        parser.withBytes(of: packet) { island?.append(packet, at: frame, of: segment, codec.comparedBytes(of: $0)) }
    }
}

extension AudioCodec {
    /// `nil` for PCM, whose packets are blocks at arbitrary places.
    fileprivate var coding: PacketCoding? {
        switch self {
        case .aac: .aac
        case .opus: .opus
        case .vorbis: .vorbis
        case .flac: .flac
        case .pcm: nil
        }
    }
}
