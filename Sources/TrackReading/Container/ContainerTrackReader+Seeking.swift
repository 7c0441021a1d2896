// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
package import Media

extension ContainerTrackReader {
    package var isOnIsland: Bool { estimated != nil }
    package var correction: (time: Duration, isUnknown: Bool) {
        (estimated?.correction ?? .zero, estimated.map { $0.correction == nil } ?? false)
    }

    package var anchor: TimeAnchor? {
        guard let estimated, estimated.correction == nil, let first = estimated.first,
            let total = source.downloadProgress.total
        else { return nil }
        return TimeAnchor(offset: first.offset, time: first.time, totalLength: total)
    }

    /// True until the first packet is found whose time is estimated.
    var hasUnreadEstimate: Bool { estimated.map { $0.first == nil } ?? false }

    package func seek(to target: TimeTarget) {
        block.removeAll()
        (nextTime, isBeyondEnd, damage, silencedPacket, skippedOffset) = (nil, false, nil, nil, nil)
        (ignoresTable, section.leastDuration, failure) = (false, nil, nil)
        decoding?.reset()
        (goal, fraction) = (.land(target), nil)
        approachPendingTarget()
    }

    /// Starts to approach the target of the goal if its time is known.
    func approachPendingTarget() {
        guard probe == nil, case .land(let pending) = goal else { return }
        let target = startOrBeginning(pending, of: section)
        if case .fraction = target { fraction = (target, false) }
        saved = target.anchor == nil ? nil : target
        guard findNextStream(for: [target, section.end]) else { return resumeAtFrontier() }
        if needsCounting { for target in [target, section.end] { count(for: target) } }
        if let time = map?.time(of: target) { _ = approach(time) }
    }

    func landing(at time: Duration) -> Landing {
        let number = map?.segment(at: time) ?? 0
        return Landing(segment: number, frame: segments[number].frame(at: time))
    }

    func approach(_ time: Duration) -> TrackStep {
        guard let map else { return .progressed }
        (nextTime, requestedTime, estimated, searchedLanding) = (time, time, nil, nil)
        limit = section.limit(in: map, from: time)
        let landing = landing(at: time)
        let number = landing.segment
        if case .exact(let end) = map.duration, time >= end, time > .zero {
            (goal, isBeyondEnd) = (.end, true)
        } else if segments.count == 1, !ignoresTable, landing.frame > segments[number].track.start,
            parser.seek(to: landing.frame)
        {
            (goal, segment, isFollowingIndex, hasJumped) = (.play(landing), number, false, true)
        } else if indexedStart(of: landing) != nil {
            follow(landing)
        } else {
            searchOrFollow(landing, time)
        }
        return .progressed
    }

    /// Searches for a target before the declared end that the container's table places beyond the end of the file: the
    /// file is truncated, and the search finds its last packets, or the table is damaged.
    /// - Returns: false if that does not apply.
    func searchWithoutTable() -> Bool {
        guard hasJumped, !ignoresTable, let map, map.shortfall == nil, case .declared(let end) = map.duration,
            requestedTime < end
        else { return false }
        ignoresTable = true
        restartParser()
        (isFollowingIndex, hasJumped) = (index.last == nil, index.last != nil)
        _ = approach(requestedTime)
        return true
    }

    /// Approaches a fraction of the duration again, once, if it turns out to be elsewhere: the packets at the landing
    /// determine the duration better than the first ones.
    /// - Returns: false if the landing is right.
    func refineFraction() -> Bool {
        guard let chosen = fraction, !chosen.isRefined, let map, let duration = map.duration.value,
            let time = map.time(of: chosen.target), abs((time - requestedTime) / .seconds(1)) > duration / .seconds(100)
        else { return false }
        fraction?.isRefined = true
        _ = approach(time)
        return true
    }

    /// Approaches a saved estimate again at the packet from which it counts, where its time is exact.
    /// - Returns: true if the packets up to that one come before the landing.
    func awaitAnchor(_ landing: Landing, _ packet: AudioPacket) -> Bool {
        guard isFollowingIndex, let target = saved, let anchor = target.anchor,
            anchor.totalLength == source.downloadProgress.total
        else { return false }
        if packet.offset >= anchor.offset, let time = map?.time(of: target) {
            saved = nil
            _ = approach(time)
            return true
        }
        guard awaitsAnchor(of: target, at: packet.offset) else { return false }
        goal = .reach(landing)
        return true
    }

    /// Returns the time of the last target if it is a fraction, which is not computed again after that.
    func takeFraction() -> Duration? { fraction.take().flatMap { map?.time(of: $0.target) } }

    /// True if the segment being read is behind that of the landing, because the target's was not known yet when the
    /// landing was chosen: the surveyor has found it since.
    var hasPassedLanding: Bool {
        switch goal {
        case .reach(let landing), .play(let landing), .search(let landing, _, _):
            segment > landing.segment && (map?.segment(at: requestedTime) ?? 0) > landing.segment
        case .land, .end: false
        }
    }

    /// Approaches the target again if a new segment begins before it is reached.
    /// - Parameter end: the end of the segment before it.
    func approachPassedTarget(_ end: Landing) {
        switch goal {
        case .play(let landing) where (landing.segment, landing.frame) < (end.segment, end.frame): break
        case .play, .reach, .search: _ = approach(requestedTime)
        case .land: approachPendingTarget()
        case .end: break
        }
    }

    /// Returns to known segments from one whose start is unknown, because the bytes before it were not read.
    func leaveUnknownSegment() {
        // The parser's numbers of the segments may be wrong now. A parser that knows fewer segments than `segments` has
        // would number the next unknown one like a known one.
        restartParser()
        switch goal {
        case .search(let landing, var search, let best):
            search.found(nil)
            continueSearch(landing, search, best: best)
        case .reach(let landing), .play(let landing): follow(landing)
        case .land, .end: resumeAtFrontier()
        }
    }

    /// Makes the parser know a segment that only the surveyor has found.
    private func learn(_ segment: Int) {
        guard segment >= parsedSegments, segment < surveyedSegments, let surveyor else { return }
        (parser, parsedSegments) = (surveyor, surveyedSegments)
    }

    private func resume(at entry: PacketIndex.Entry) {
        learn(entry.segment)
        parser.resume(at: entry.point)
        (segment, isFollowingIndex, hasJumped) = (entry.segment, true, true)
    }

    /// Decodes from the first packet of the pre-roll on if it is indexed; otherwise parses, without decoding, from the
    /// end of the index on.
    func follow(_ landing: Landing) {
        if let entry = indexedStart(of: landing) {
            resume(at: entry)
            goal = .play(landing)
        } else {
            resumeAtFrontier()
            goal = .reach(landing)
        }
        estimated = nil
    }

    /// Returns the packet from which to decode for a landing, if it is indexed.
    private func indexedStart(of landing: Landing) -> PacketIndex.Entry? {
        index.entry(for: landing.frame - segments[landing.segment].track.preRoll, of: landing.segment)
    }

    /// Parses on from the end of the index; from the first packet on if it is empty.
    private func resumeAtFrontier() {
        if let last = index.last {
            if !isFollowingIndex || parser.point != last.point { resume(at: last) }
        } else if !isFollowingIndex {
            restartParser()
            (isFollowingIndex, hasJumped) = (true, false)
        }
    }

    /// Parses on from the end of the index, unless the bytes of the landing are far ahead or have already arrived.
    func searchOrFollow(_ landing: Landing, _ time: Duration) {
        let progress = source.downloadProgress
        guard let map, progress.canSkipAhead, progress.total != nil,
            landing.frame > segments[landing.segment].track.start
        else { return follow(landing) }
        if let last = index.last, last.segment != landing.segment { return follow(landing) }
        guard index.last != nil, map.byte(atTime: time) != nil else {
            // The bit rate is not known before the first packets.
            return approachLater(time)
        }
        let isAhead = isAhead(time)
        guard isAhead || progress.condition == .complete else { return follow(landing) }
        guard let mustRead = mayLieBehindNextStream(landing) else { return approachLater(time) }
        guard !mustRead else { return follow(landing) }
        guard let isEndDoubtful = hasDoubtfulEnd(map) else { return approachLater(time) }
        searchedLanding = landing
        guard kind.numbersPackets else { return isAhead ? estimate(landing, map, time) : follow(landing) }
        beginSearch(landing, map, isEndDoubtful: isEndDoubtful)
    }

    private func beginSearch(_ landing: Landing, _ map: ContainerTimeline, isEndDoubtful: Bool) {
        guard let last = index.last, last.segment == landing.segment, let total = map.totalLength
        else { return follow(landing) }
        let track = segments[landing.segment].track
        let rate = map.byteRate(total: total, expected: section.expectedDuration) ?? 0
        let search = FrameSearch(
            for: landing.frame - track.preRoll, from: .init(offset: last.offset, frame: last.frame),
            to: (total, map.estimatedEnd(expected: section.expectedDuration)),
            nearFrames: track.format.frames(in: Self.nearness(bytesPerSecond: rate)),
            isEndDoubtful: isEndDoubtful)
        continueSearch(landing, search)
    }

    /// Approaches a time again with the next packet.
    private func approachLater(_ time: Duration) {
        resumeAtFrontier()
        goal = .land(.time(time))
    }

    /// Returns true if the bytes of a time have arrived before those that precede them, or would take longer than
    /// another request.
    func isAhead(_ time: Duration) -> Bool {
        let progress = source.downloadProgress
        guard progress.canSkipAhead, let total = progress.total, let last = index.last,
            // The bit rate so far may place the target beyond the end.
            let place = map?.byte(atTime: time).map({ min($0, total - 1) })
        else { return false }
        let held = progress.extents.contiguousEnd(from: last.offset)
        let isHeld = place > held && progress.extents.contains(place..<place + 1)
        // An estimate would be inexact, and a fast link may soon deliver all bytes. Its speed is known in a moment.
        if !isHeld, !kind.numbersPackets, progress.condition == .receiving, progress.bytesPerSecond == nil {
            return false
        }
        return isHeld || place - held > SkipDistance.limit(bytesPerSecond: progress.bytesPerSecond)
    }

    /// Starts at the estimated byte of a landing, with estimated frames. A target that seems to lie at the end is
    /// counted.
    private func estimate(_ landing: Landing, _ map: ContainerTimeline, _ time: Duration) {
        let track = segments[landing.segment].track
        let margin = Duration.seconds(2)
        guard !section.isExact, let total = map.totalLength,
            let offset = map.byte(atTime: time - track.format.duration(ofFrames: track.preRoll)),
            let end = map.byte(atTime: time + margin), end < total
        else { return follow(landing) }
        learn(landing.segment)
        parser.synchronize(from: offset)
        estimated = EstimatedPackets(from: landing.frame - track.preRoll)
        (goal, isFollowingIndex, hasJumped) = (.play(landing), false, true)
    }

    /// The sound that is parsed rather than searched: 64 KB of it, because another request costs more, and at least a
    /// second.
    private static func nearness(bytesPerSecond rate: Double) -> Duration {
        .seconds(max(1, Double(64 << 10) / max(rate, 1)))
    }

    /// Tries the next byte of a search, or ends it at its best result.
    /// - Parameter best: the point of the result; `nil` if the search has found nothing.
    func continueSearch(_ landing: Landing, _ search: FrameSearch, best: ContainerPoint? = nil) {
        learn(surveyedSegments - 1)
        if let offset = search.nextOffset {
            parser.synchronize(from: offset)
            goal = .search(landing, search, best: best)
        } else if let best {
            parser.resume(at: best)
            goal = .reach(landing)
        } else {
            return follow(landing)
        }
        (isFollowingIndex, hasJumped) = (false, true)
    }

    /// Compares the first packet found with the landing.
    func check(
        _ packet: AudioPacket, _ landing: Landing, _ search: FrameSearch, best: ContainerPoint?
    ) -> TrackStep {
        var search = search
        let (frame, start) = (segment == landing.segment && !exceedsStream(packet) ? packet.frame : nil, search.result)
        search.found(frame.map { .init(offset: packet.offset, frame: $0) }, inFragmentAt: parser.point?.offset)
        let isBefore = search.result != start
        if isBefore, !search.isEndDoubtful, mayExceedStream(packet), let map {
            beginSearch(landing, map, isEndDoubtful: true)
            return .progressed
        }
        guard isBefore, search.nextOffset == nil else {
            continueSearch(landing, search, best: isBefore ? parser.point ?? best : best)
            return .progressed
        }
        return reach(landing, with: packet)
    }
}
