// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
package import Media

/// Files that join several streams. The numbers of the packets begin again in each of them, so that a search for a
/// number may find it in the wrong stream.
extension ContainerTrackReader {
    /// True if the file is known to have more than one stream.
    var isJoined: Bool {
        segments.count > 1 || nextStream.start != nil || nextStream.restartsNumbers == true || exceedsStream
    }

    package func ends(before target: TimeTarget) -> Bool? {
        guard findNextStream(for: [target]) else { return index.last == nil ? false : nil }
        guard let map, let time = map.time(of: target) else { return false }
        switch map.duration {
        case .exact(let end), .declared(let end): return time >= end
        case .estimated, .unknown: return false
        }
    }

    /// Looks for another stream if one of the targets may belong to it, because FLAC and fragmented MP4 state only the
    /// length of each stream.
    /// - Returns: false if that is not possible before the first packet, or takes more than one call.
    func findNextStream(for targets: [TimeTarget?]) -> Bool {
        guard kind == .flac || isFragmented, case .declared(let end)? = map?.duration else { return true }
        let isNeeded = targets.contains { target in
            switch target {
            case .fraction?: true
            case .time(let time)?, .estimated(let time, _)?: time >= end
            case nil: false
            }
        }
        return !isNeeded || index.last != nil && findNextStream() != .unfinished
    }

    private var isFragmented: Bool { (parser as? MP4Parser)?.isFragmented ?? false }

    /// Looks for another stream after the indexed packets.
    private func findNextStream() -> StreamSearch.Outcome {
        guard kind == .ogg || kind == .flac || isFragmented, let last = index.last else { return .notFound }
        let outcome = nextStream.findStart(after: last.offset, in: source)
        let progress = source.downloadProgress
        guard kind == .flac, progress.condition == .complete, let total = progress.total else { return outcome }
        switch outcome {
        case .unfinished where !nextStream.hasComparedNumbers:
            let isOnlyStream = hasOneStream(from: nextStream.end, total: total)
            nextStream.compared(upTo: isOnlyStream ? total : nil)
            return isOnlyStream ? .notFound : .unfinished
        case .notFound:
            let doesRestart = nextStream.restartsNumbers ?? restartsNumbers(total: total)
            nextStream.restartsNumbers = doesRestart
            return doesRestart ? .found : .notFound
        case .found, .unfinished: return outcome
        }
    }

    /// Returns true if the packets up to a landing must be read in their order, because another stream begins after the
    /// indexed ones, or may begin before the landing. Where bytes are missing, Ogg relies on the serial numbers, which
    /// differ in most chains.
    /// - Returns: `nil` if that takes more than one call.
    func mayLieBehindNextStream(_ landing: Landing) -> Bool? {
        switch findNextStream() {
        case .found: return true
        case .unfinished: return nil
        case .notFound: break
        }
        // In MP4, the times of the last part may equal those of the packets before it.
        if kind == .mp4 { return isJoined }
        guard let (_, info) = incompleteFLAC, let frames = info.frames else { return false }
        return landing.frame >= frames || exceedsStream
    }

    /// Handles a failure of the parser or of the decoder. A search has found it after its target, which may lie before
    /// it.
    func fail(_ failure: MediaFailure) -> TrackStep {
        guard case .search(let landing, var search, let best) = goal else {
            self.failure = failure
            return .failed(failure)
        }
        search.found(nil)
        continueSearch(landing, search, best: best)
        return .progressed
    }

    /// Replaces the parser, which has jumped, by one at the start of the last stream that was found in order.
    func restartParser() { (parser, parsedSegments) = guide ?? (kind.makeParser(assuming: assumed), 0) }

    /// The last indexed packet of FLAC with missing bytes, and the header of its stream; `nil` for other files.
    private var incompleteFLAC: (last: PacketIndex.Entry, info: FLACStreamInfo)? {
        guard kind == .flac, source.downloadProgress.condition != .complete, let last = index.last,
            case .flac(let info) = segments[last.segment].track.codec
        else { return nil }
        return (last, info)
    }

    /// Returns true if another stream may follow the one whose length FLAC states, where bytes are missing: the file is
    /// longer than that one would be at the bit rate so far, which varies. That is known after a second of sound, which
    /// is not read if it costs more than a request for a nearer place.
    /// - Returns: `nil` if the bit rate is not known before the next packets.
    func hasDoubtfulEnd(_ map: ContainerTimeline) -> Bool? {
        guard let (last, _) = incompleteFLAC, case .declared(let end) = map.duration, let total = map.totalLength
        else { return false }
        guard let rate = map.byteRate(total: nil, expected: nil) else {
            return last.offset - map.audioStart > Self.longestMeasurement ? true : nil
        }
        return Double(total - map.audioStart) > Self.rateTolerance * rate * (end / .seconds(1))
    }

    /// The most bytes that are read to know the bit rate.
    private static let longestMeasurement: Int64 = 128 << 10
    private static let rateTolerance = 1.25

    /// Returns true if a packet of FLAC lies farther from the indexed ones than the packets of their stream can reach.
    /// It belongs to another one. In a complete file, streams are found by their starts.
    func exceedsStream(_ packet: AudioPacket) -> Bool {
        guard let (last, info) = incompleteFLAC, let frame = packet.frame else { return false }
        return packet.offset - last.offset > info.longestLength(ofFrames: max(0, frame - last.frame))
    }

    /// Returns true if a packet of FLAC that a search has found may belong to another stream, where bytes are missing:
    /// the bit rates before and after it differ by more than a quarter. The number of a packet of another stream does
    /// not count the packets of the first one, whose bytes lie before it. After it, a longer stream has more bytes than
    /// the rest of the first one.
    func mayExceedStream(_ packet: AudioPacket) -> Bool {
        guard let (last, info) = incompleteFLAC, let frames = info.frames, let frame = packet.frame,
            let start = index.entry(for: 0, of: last.segment)?.offset, let total = source.downloadProgress.total
        else { return false }
        // Both rates are multiplied by both numbers of frames, either of which may be 0.
        let before = Double(packet.offset - start) * Double(frames - frame)
        let after = Double(total - packet.offset) * Double(frame)
        return max(before, after) > Self.rateTolerance * min(before, after)
    }

    /// The most bytes of tags after a stream.
    private static let longestTags: Int64 = 1 << 20

    /// True if the file has more bytes than the indexed stream of FLAC can have.
    private var exceedsStream: Bool {
        guard kind == .flac, let last = index.last, case .flac(let info) = segments[last.segment].track.codec,
            let frames = info.frames, let start = index.entry(for: 0, of: last.segment)?.offset,
            let total = source.downloadProgress.total
        else { return false }
        return total - start - Self.longestTags > info.longestLength(ofFrames: frames)
    }
}
