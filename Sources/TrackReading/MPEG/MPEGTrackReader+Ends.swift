// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
package import Media

extension MPEGTrackReader {
    package var anchor: TimeAnchor? {
        guard let island = packets.island, island.correction == nil, let first = island.first, let frames,
            let total = source.downloadProgress.total
        else { return nil }
        return TimeAnchor(offset: first.offset, time: frames.time(ofPacket: first.number), totalLength: total)
    }

    package var origin: VersionOrigin? {
        guard let nextTime, let frames else { return nil }
        // All downloaded packets help to find the position.
        while packets.survey(budget: 64 << 20) {}
        let (hashes, first) = packets.island.map { ($0.hashes, $0.first?.number ?? 0) } ?? (packets.hashes, 0)
        let packet = frames.packet(at: nextTime) - first
        return VersionOrigin(
            packet: (0...hashes.count).contains(packet) ? packet : nil, hashes: hashes, first: first, coding: .mpeg,
            limits: .mpeg)
    }

    package func ends(before target: TimeTarget) -> Bool? {
        guard let map, let time = map.time(of: target) else { return false }
        return map.ends(before: time, source.downloadProgress, expected: section.expectedDuration)
    }

    package var endsInsidePacket: Bool {
        guard let frontier = map?.packets.index.frontier else { return false }
        var word: UInt32 = 0
        guard case .data(4) = withUnsafeMutableBytes(of: &word, { source.read(at: frontier.offset, into: $0) }) else {
            return false
        }
        return MPEGFrameHeader(word.bigEndian)?.matches(frontier.format) ?? false
    }
}
