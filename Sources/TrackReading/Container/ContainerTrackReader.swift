// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioContainers
import AudioDecoding
package import Media

/// A reader of a file in a container: MP4, ADTS, Ogg, FLAC or WAV. Confined to one thread.
///
/// A seek uses the container's tables where it has some, and otherwise the index of the packets read so far. A target
/// far beyond both is searched: the parser synchronizes at an estimated byte, and the packet found there states its
/// frame, so that the next estimate is better.
package final class ContainerTrackReader: TrackReader {
    enum Goal {
        /// Land at the target as soon as its time is known.
        case land(TimeTarget)
        /// Parse up to the landing, without decoding.
        case reach(Landing)
        /// Find the packets before the landing.
        case search(Landing, FrameSearch, best: ContainerPoint?)
        /// Decode, and play from the landing on.
        case play(Landing)
        /// The track is read.
        case end
    }

    /// A decoded frame of a segment.
    struct Landing: Equatable {
        var segment: Int
        var frame: Int64
    }

    private static let windowSize = 64 << 10

    package let source: any ByteSource
    package let block = PCMBlock()
    let kind: ContainerKind
    var section: TrackSection
    var parser: any ContainerParser
    var segments: [TrackSegment] = []
    /// The segment of the packets being read.
    var segment = 0
    /// The frame after the last packet of the segment.
    private var reached: Int64 = 0
    /// The numbers of segments that the parser and the surveyor have found.
    var (parsedSegments, surveyedSegments) = (0, 0)
    var index = PacketIndex()
    /// True while the parser has read everything since the last indexed packet.
    var isFollowingIndex = true
    /// The landing of the last search; a search that has failed is not repeated with every byte that arrives.
    var searchedLanding: Landing?
    /// The last packet read beyond the index.
    private var islandPlace: ContainerTimeline.Place?
    /// The indexed packets, for a comparison with another version; empty unless `isCompared`.
    var history = PacketHistory()
    /// The packets read last, if they are beyond the index.
    var island: PacketHistory?
    /// True if another version may replace this one, or if this one replaces another.
    let isCompared: Bool
    /// The packets being read if their frames are estimates.
    var estimated: EstimatedPackets?
    /// True if the container's table is not used for the last target.
    var ignoresTable = false
    /// True if all packets are indexed.
    package internal(set) var isWholeIndexed = false
    /// True if the surveyor has found sound that cannot be played after the indexed packets.
    var isRefused = false
    /// True if the packets were read up to the end of the file.
    var isEndKnown = false
    /// The frame after the last packet of the file, if it was read after a jump.
    var finalFrame: Int64?
    /// The frame after the last packet, if the end of the complete file was read, and true if that was tried.
    var (endFrame, hasReadEnd): (Int64?, Bool) = (nil, false)
    /// True if the file has ended without the mark of its end.
    var isCutOff = false
    /// The length that the container declared first.
    var declaredFrames: Int64?
    var goal: Goal
    /// The last target if it is a fraction, and true if it was computed again; `nil` once sound from there was decoded.
    var fraction: (target: TimeTarget, isRefined: Bool)?
    /// The last target if it counts from a packet; `nil` once its time is exact, or sound from there was decoded.
    var saved: TimeTarget?
    package internal(set) var nextTime: Duration?
    package internal(set) var requestedTime = Duration.zero
    package internal(set) var isBeyondEnd = false
    /// The time to stop at; `nil` for the end.
    var limit: Duration?
    var decoding: ContainerDecoding?
    /// The search for SBR in the first packets of AAC that does not signal it.
    var probe: ImplicitSBRProbe?
    /// The configuration with which the parser was created.
    var assumed: AACConfig?
    /// The parser that indexes packets that `parser` does not read.
    var surveyor: (any ContainerParser)?
    package internal(set) var damage: MediaFailure?
    package internal(set) var silencedPacket: MediaFailure?
    /// The failure that ended reading, of the parser or of the decoder. Each step returns it until a seek, because
    /// callers return their frames first.
    var failure: MediaFailure?
    private(set) var foundGain: TrackGain?
    var chapters: ChapterSearch
    /// The offset of skipped bytes: they are damage if a packet follows, and otherwise not part of the track.
    var skippedOffset: Int64?
    /// The parser when it had found the last segment in order, and the number of segments that it knew.
    var guide: (parser: any ContainerParser, segments: Int)?
    /// True until the first packet after a jump of the parser.
    var hasJumped = false
    /// The search for streams after the indexed one.
    var nextStream: StreamSearch
    /// True while the parser's next tables are requested ahead of the packets.
    var isPrefetching = false
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: windowSize, alignment: 16)

    /// - Parameter isCompared: true if its packets are compared with those of another version.
    package init(
        _ kind: ContainerKind, _ source: any ByteSource, _ section: TrackSection = TrackSection(),
        isCompared: Bool = false
    ) {
        (self.kind, self.source, self.section) = (kind, source, section)
        // A complete download cannot be replaced by another version.
        self.isCompared = isCompared || source.downloadProgress.condition != .complete
        (parser, nextStream) = (kind.makeParser(), StreamSearch(kind))
        chapters = ChapterSearch(.container(kind))
        goal = .land(section.start)
    }

    deinit { window.deallocate() }

    package var readOffset: Int64 { parser.readOffset }
    package var endsInsidePacket: Bool { parser.isDone && parser.endsInsidePacket }
    package var timeline: (any TrackTimeline)? { map }
    package func releaseDecoder() { decoding = nil }

    /// What is known of the file; `nil` until its track is found.
    var map: ContainerTimeline? {
        // The format is not known before the probe is complete.
        guard probe == nil, !segments.isEmpty else { return nil }
        return ContainerTimeline(
            segments: segments, parser: parser, index: index, island: islandPlace,
            isWhole: isWholeIndexed && !isRefused, isEndKnown: isEndKnown, finalFrame: finalFrame, endFrame: endFrame,
            declaredFrames: declaredFrames, isCutOff: isCutOff, isJoined: isJoined,
            totalLength: source.downloadProgress.total)
    }

    package func step() -> TrackStep {
        if case .end = goal { return .ended }
        if let failure { return .failed(failure) }
        guard let event = parser.next() else { return parser.isDone ? end() : read() }
        switch event {
        case .track(let track): begin(track)
        case .packet(let packet): return process(packet)
        case .failed(let failure): return fail(failure)
        case .garbage(let range): skippedOffset = skippedOffset ?? range.lowerBound
        case .gain(let gain): foundGain = gain
        case .chapters(let found): chapters.note(found)
        case .metadata: break
        }
        return .progressed
    }

    private func note(damageAt offset: Int64) { damage = damage ?? .damage(at: offset) }

    private func read() -> TrackStep {
        parser.totalLength = source.downloadProgress.total
        return switch parser.read(source, through: window) {
        case .data, .end: .progressed
        case .notYetAvailable: waitOrChangeApproach()
        case .failed(let failure): .lost(failure)
        }
    }

    private func begin(_ track: AudioTrack) {
        if probe == nil, assumed == nil { probe = ImplicitSBRProbe(track.codec) }
        let isNew = track.ordinal >= segments.count
        if isNew, !segments.isEmpty, hasJumped, !isFollowingIndex { return leaveUnknownSegment() }
        if segments.isEmpty { declaredFrames = parser.statedFrames }
        parsedSegments = max(parsedSegments, track.ordinal + 1)
        // The last packet of a segment may be longer than the rest of its sound.
        let soundEnd = segments.indices.contains(segment) ? segments[segment].track.end : nil
        let end = Landing(segment: segment, frame: min(reached, soundEnd ?? reached))
        segment = track.ordinal
        note(track, after: reached)
        if isNew { guide = (parser, parsedSegments) }
        // A parser may also state more of the same segment.
        guard segment > end.segment, isNew || hasPassedLanding else { return approachPendingTarget() }
        approachPassedTarget(end)
    }

    /// Notes a segment that begins after the frame `end` of the last one, or what a later part of the file states of
    /// a known one.
    func note(_ track: AudioTrack, after end: Int64) {
        guard track.ordinal < segments.count else {
            let start = segments.last.map { last in last.statedEnd ?? last.time(of: end) }
            return segments.append(TrackSegment(track: track, start: start ?? .zero))
        }
        let end = track.end ?? segments[track.ordinal].track.end
        segments[track.ordinal].track = track
        segments[track.ordinal].track.end = end
    }

    private func process(_ packet: AudioPacket) -> TrackStep {
        if probe != nil { return resolve(packet) }
        guard segments.indices.contains(segment) else { return .progressed }
        // A recording of an ADTS stream may begin inside a packet.
        let sound = kind == .adts ? index.audioStart ?? .max : 0
        if let offset = skippedOffset.take(), !hasJumped, offset >= sound { note(damageAt: offset) }
        hasJumped = false
        record(packet, of: segment, from: parser)
        let packet = estimated?.number(packet, in: segments[segment]) ?? packet
        if let frame = packet.frame { reached = frame + Int64(packet.frames) }
        islandPlace = isFollowingIndex || estimated != nil ? nil : place(of: packet)
        rememberBeyondIndex(packet)
        switch goal {
        case .land: approachPendingTarget()
        case .reach(let landing): return reach(landing, with: packet)
        case .search(let landing, let search, let best): return check(packet, landing, search, best: best)
        case .play: return decode(packet)
        case .end: return .ended
        }
        return .progressed
    }

    private func place(of packet: AudioPacket) -> ContainerTimeline.Place? {
        packet.frame.map { .init(time: segments[segment].time(of: $0), offset: packet.offset) }
    }

    /// Begins to decode if the packet is the first one to decode for the landing.
    func reach(_ landing: Landing, with packet: AudioPacket) -> TrackStep {
        if awaitAnchor(landing, packet) { return .progressed }
        guard isWithinPreRoll(of: landing, packet) else {
            goal = .reach(landing)
            return .progressed
        }
        if refineFraction() { return .progressed }
        goal = .play(landing)
        return decode(packet)
    }

    /// Returns true if decoding for a landing must begin with a packet or before it.
    func isWithinPreRoll(of landing: Landing, _ packet: AudioPacket) -> Bool {
        guard segment == landing.segment, let frame = packet.frame else { return segment > landing.segment }
        return frame + Int64(max(1, packet.frames)) > landing.frame - segments[segment].track.preRoll
    }

    private func decode(_ packet: AudioPacket) -> TrackStep {
        guard case .play(let landing) = goal, isWithinPreRoll(of: landing, packet) else { return .progressed }
        if section.needsLimit(after: limit) {
            countForSkippedEnd(of: section, at: packet.offset)
            if let map { limit = section.limit(in: map, from: requestedTime) }
        }
        do throws(DecodingError) {
            if decoding?.codec != segments[segment].track.codec || decoding?.segment != segment {
                decoding = try ContainerDecoding(segments[segment], segment)
            }
            let isLossBefore = decoding?.skipsFrames(before: packet) == true
            if isLossBefore || packet.length == 0, packet.frames > 0 { note(damageAt: packet.offset) }
            let stop = limit.map { $0 - correction.time }
            decoding?.play(from: segment == landing.segment ? landing.frame : 0, to: stop, in: segments[segment])
            try parser.withBytes(of: packet) { bytes in
                Result { () throws(DecodingError) in try decoding?.decode(packet, bytes, into: block) }
            }.get()
        } catch {
            return recover(from: error)
        }
        if decoding?.isPacketDamaged == true { silencedPacket = silencedPacket ?? .damage(at: packet.offset) }
        if let time = decoding?.nextTime { nextTime = time }
        if block.frames > 0 { (fraction, saved) = (nil, nil) }
        if let limit, let nextTime, nextTime + correction.time >= limit { goal = .end }
        return .progressed
    }

    private func end() -> TrackStep {
        if let probe { return restart(assuming: probe.result) }
        if isFollowingIndex, index.last != nil {
            (isWholeIndexed, isCutOff) = (true, parser.isCutOff)
        } else if !hasJumped, reached > 0, estimated == nil, segments.count == 1 {
            (finalFrame, isCutOff) = (reached, parser.isCutOff)
        }
        if !hasJumped { isEndKnown = true }
        switch goal {
        case .land(let target):
            // The whole file is read now, so a fraction of its duration is known.
            if index.last != nil, let time = map?.time(of: target) { return approach(time) }
        case .search(let landing, var search, let best):
            search.found(nil)
            continueSearch(landing, search, best: best)
            return .progressed
        case .play(let landing) where hasUnreadEstimate:
            follow(landing)
            return .progressed
        case .play where searchWithoutTable(): return .progressed
        case .reach, .play, .end: break
        }
        if let time = saved.take().flatMap({ map?.time(of: $0) }) { return approach(time) }
        // The estimated duration was too long.
        if let time = takeFraction(), time < requestedTime { return approach(time) }
        isBeyondEnd = requestedTime > .zero
        goal = .end
        return .progressed
    }
}
