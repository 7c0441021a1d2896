// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

/// Indexing, also ahead of playback.
extension ContainerTrackReader {
    /// Adds a packet to the index if it is the next one.
    func record(_ packet: AudioPacket, of segment: Int, from parser: any ContainerParser) {
        if add(packet, of: segment, from: parser, isFollowing: isFollowingIndex) { isFollowingIndex = true }
    }

    /// - Returns: false if the packet is not the next one.
    private func add(
        _ packet: AudioPacket, of segment: Int, from parser: any ContainerParser, isFollowing: Bool
    ) -> Bool {
        guard let point = parser.point, index.continues(with: packet, of: segment, isFollowing: isFollowing) else {
            return false
        }
        if index.last == nil { declaredFrames = parser.statedFrames }
        index.append(packet, at: point, of: segment, format: segments[segment].track.format)
        remember(packet, of: segment, from: parser)
        estimated?.compare(offset: packet.offset, time: segments[segment].time(of: point.frame))
        return true
    }

    /// Indexes some of the downloaded packets if the container does not state its length.
    package func survey(isSoundDue: Bool) -> Bool {
        guard needsCounting else { return false }
        let isUrgent = correction.isUnknown
        readEnd()
        return survey(budget: surveyBudget(isSoundDue: isSoundDue)) && isUrgent
    }

    /// The part of a complete file in which its last packets are looked for: longer than most fragments of MP4.
    static let endLength: Int64 = 256 << 10
    /// The most packets of that part.
    private static let mostAtEnd = 20_000
    /// The sound that must be indexed, so that an estimate shows whether the end belongs to the same stream.
    private static let leastIndexed = Duration.seconds(5)
    private static let likely = 0.7...1.5

    /// Reads the end of a complete file: its last packets state its length long before all packets are indexed.
    private func readEnd() {
        let progress = source.downloadProgress
        guard !hasReadEnd, kind.numbersPackets, segments.count == 1, let last = index.last,
            progress.condition == .complete, let total = progress.total,
            segments[0].time(of: index.end) >= Self.leastIndexed, let estimate = map?.duration.value
        else { return }
        hasReadEnd = true
        var copy = surveyor ?? parser
        copy.synchronize(from: max(last.offset, total - Self.endLength))
        guard let end = Self.lastFrame(of: &copy, source) else { return }
        // A smaller number may be that of another stream behind the first one.
        if Self.likely.contains(segments[0].time(of: end) / estimate) { endFrame = end }
    }

    /// Returns the frame after the last packet; `nil` if that belongs to another stream or cannot be found.
    static func lastFrame(of parser: inout any ContainerParser, _ source: any ByteSource) -> Int64? {
        var (end, limit): (Int64?, Int64?)
        for _ in 0..<mostAtEnd {
            guard let event = parser.next(reading: source) else {
                return parser.isDone ? end.map { min($0, limit ?? $0) } : nil
            }
            switch event {
            case .packet(let packet): end = packet.frame.map { $0 + Int64(packet.frames) } ?? end
            case .track(let track) where track.ordinal == 0: limit = track.end ?? limit
            case .track, .failed: return nil
            case .metadata, .chapters, .gain, .garbage: continue
            }
        }
        return nil
    }

    /// Indexes downloaded packets also if the container states its length, which shows whether it is true.
    package func indexMore(_ budget: Int64) -> Bool { survey(budget: budget) }

    /// Finds the streams of a chained or joined file, each of which states its format. That takes a second for an hour
    /// of FLAC.
    package func findFormats(isSoundDue: Bool) {
        guard !isSoundDue else { return }
        switch kind {
        case .adts, .flac, .ogg: while indexMore() {}
        case .mp4, .wave: break
        }
    }

    var needsCounting: Bool {
        guard !isJoined else { return true }
        return switch parser.length {
        case .exact, .declared: false
        case .estimated, .unknown: true
        }
    }

    /// - Returns: true if more can be indexed immediately.
    private func survey(budget: Int64) -> Bool {
        guard budget > 0, !isWholeIndexed, probe == nil, !segments.isEmpty else { return false }
        var copy = surveyor ?? kind.makeParser(assuming: assumed)
        if parsedSegments > surveyedSegments { (copy, surveyedSegments) = (parser, parsedSegments) }
        if let last = index.last, copy.point != last.point { copy.resume(at: last.point) }
        defer { surveyor = copy }
        var number = index.last?.segment ?? 0
        let end = copy.readOffset + budget
        while copy.readOffset < end {
            switch copy.next() {
            case .packet(let packet): _ = add(packet, of: number, from: copy, isFollowing: true)
            case .track(let track):
                note(track, after: index.end)
                number = track.ordinal
                surveyedSegments = max(surveyedSegments, number + 1)
            case .failed:
                isRefused = true
                return false
            case .metadata, .chapters, .gain, .garbage: continue
            case nil:
                guard !copy.isDone else {
                    (isWholeIndexed, isCutOff) = (true, copy.isCutOff)
                    return false
                }
                guard copy.read(source) else { return false }
            }
        }
        return true
    }
}

/// Requests for bytes.
extension ContainerTrackReader {
    /// The sound that must have arrived before tables are requested ahead of it, and the sound at which they must wait
    /// again. The distance limits the number of requests on a slow link.
    private static let comfort = (start: Duration.seconds(15), stop: Duration.seconds(5))

    /// The offset to request next: that of a table that the parser will need soon if enough sound has arrived.
    package var wantedOffset: Int64 {
        let progress = source.downloadProgress
        guard progress.canSkipAhead,
            let table = parser.prefetch.first(where: { progress.extents.missing(in: $0) > 0 }),
            let rate = map?.byteRate(total: progress.total, expected: section.expectedDuration)
        else { return readOffset }
        let ahead = Double(progress.extents.contiguousEnd(from: readOffset) - readOffset)
        let needed = isPrefetching ? Self.comfort.stop : Self.comfort.start
        isPrefetching = ahead > rate * (needed / .seconds(1))
        return isPrefetching ? progress.extents.contiguousEnd(from: table.lowerBound) : readOffset
    }
}
