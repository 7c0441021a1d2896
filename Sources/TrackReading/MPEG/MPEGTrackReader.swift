// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
package import MPEGAudio
package import Media

/// A reader of MPEG audio: packets → trimmed PCM at the item's own rate. Confined to the playback thread.
///
/// A seek into the indexed part restarts at an indexed packet. A seek to a target slightly beyond it parses, without
/// decoding, until the packet is available. A seek to a target farther ahead lands on an island.
package final class MPEGTrackReader: TrackReader {
    /// The maximum number of frames of one step: all frames that a trimmer holds back, and a packet.
    package static let blockCapacity = GaplessTrimmer.holdLimit + 4 * 1152

    private(set) var section: TrackSection
    let packets: PacketReader
    package let block = PCMBlock()
    var goal: ReadingGoal
    private var decoding: PacketDecoding?
    /// The trimming of the whole file; `nil` until its first packet is found.
    private var gaplessFacts: GaplessFacts?
    /// The time to stop at; `nil` for the end.
    private var limit: Duration?
    var chapters = ChapterSearch(.mpeg)
    /// The time of the next frame, if it is known.
    package private(set) var nextTime: Duration?
    /// A packet of a new format that is not yet decoded, because frames of the previous format come first.
    private var waiting: MPEGPacket?
    /// The last target; `nil` once sound from there was decoded.
    var target: TimeTarget?
    /// The last time for which no packet was found at the estimated place; it is not tried again.
    var lostTime: Duration?
    /// The last target, and a flag that is true if it lies beyond the end, so that no frame is played.
    package private(set) var requestedTime = Duration.zero
    package private(set) var isBeyondEnd = false

    /// - Parameter kept: returns an index made when the item was last read, if there is one.
    package init(
        _ source: any ByteSource, _ section: TrackSection = TrackSection(),
        kept: @escaping () -> KeptFrameIndex? = { nil }
    ) {
        self.section = section
        packets = PacketReader(source: source, kept: kept)
        (goal, target) = (.land(section.start), section.start)
    }

    /// Continues in the version that replaced the version of another reader.
    /// - Parameters:
    ///   - packet: the packet after the last one played; `nil` if the versions have no content in common.
    ///   - packets: the reader of the new version.
    package init(
        goingOnFrom reader: any TrackReader, _ section: TrackSection, at packet: Int64?, in packets: PacketReader
    ) {
        let other = reader as? MPEGTrackReader
        (self.section, self.packets) = (section, packets)
        // If the other reader has not landed yet, this one lands instead.
        let pending = reader.pendingTarget
        (goal, requestedTime) = (other?.goal ?? .land(pending ?? .time(reader.requestedTime)), reader.requestedTime)
        if let first = packets.first { updateGaplessFacts(first.header) }
        guard pending == nil, let frames = map?.frames, let time = reader.nextTime else { return }
        var landing = time + reader.correction.time
        if let packet, let old = other?.frames {
            let frame = old.frame(at: time)
            let offset = frame - old.trimmedFrame(ofPacket: old.packet(holding: frame))
            landing = frames.time(ofFrame: max(0, frames.trimmedFrame(ofPacket: packet) + offset))
        }
        // If too few packets are indexed to choose an approach, a later one decides.
        (goal, requestedTime) = (.land(.time(landing)), landing)
        beginApproach(to: landing)
    }

    package var source: any ByteSource { packets.source }
    package var pendingTarget: TimeTarget? { if case .land(let target) = goal { target } else { nil } }
    package var isOnIsland: Bool { packets.island != nil }
    private var gapless: GaplessFacts { gaplessFacts ?? .none }
    /// The offset of the next read.
    package var readOffset: Int64 { packets.readOffset }
    package var timeline: (any TrackTimeline)? { map }

    /// The gain in the ID3v2 tag, or the encoder's own.
    package var statedGain: TrackGain? { TrackMetadata.gainInID3(source) ?? packets.stream.info?.gain }

    /// The timeline of the track; `nil` until its first packet is found.
    package var map: MPEGTimeline? {
        guard let first = packets.first else { return nil }
        let facts = MPEGTimeline.PacketFacts(
            first: first, stream: packets.stream, totalLength: source.downloadProgress.total,
            expectedDuration: section.expectedDuration)
        return MPEGTimeline(packets: facts, gapless: gapless)
    }

    /// The frames and times of the packets being read: on an island they are estimates until they are corrected.
    var frames: PacketTimeline? { packets.runs.map { PacketTimeline(runs: $0, start: gapless.start) } }

    /// The difference to add to `blockTime` to make it exact, and a flag that is true while an island's is unknown.
    package var correction: (time: Duration, isUnknown: Bool) {
        guard let island = packets.island else { return (.zero, false) }
        return (island.correction ?? .zero, island.correction == nil)
    }

    package var landingWait: LandingWait? {
        guard case .reach = goal else { return nil }
        return source.downloadProgress.inOrderCause.map(LandingWait.init)
    }

    /// Returns the index of the whole item once, unless it was kept already.
    package func removeIndexToStore() -> KeptFrameIndex? { packets.removeIndexToStore() }

    package func seek(to target: TimeTarget) {
        block.removeAll()
        nextTime = nil
        // The decoder's held frames belong to the old position.
        (decoding, waiting, isBeyondEnd, silencedPacket) = (nil, nil, false, nil)
        (goal, self.target, lostTime, section.leastDuration) = (.land(target), target, nil, nil)
        count(for: target)
        if let time = map?.time(of: target) {
            beginApproach(to: time)
        } else if packets.island != nil, let frontier = packets.index.frontier {
            packets.resume(at: frontier)
        }
    }

    package func survey(isSoundDue: Bool) -> Bool {
        let isUrgent = correction.isUnknown
        return packets.survey(budget: surveyBudget(isSoundDue: isSoundDue)) && isUrgent
    }

    package func indexMore(_ budget: Int64) -> Bool { packets.survey(budget: budget) }
    package var isWholeIndexed: Bool { packets.isWholeIndexed }
    package var wantedOffset: Int64 { readOffset }
    package var damage: MediaFailure? { nil }
    package private(set) var silencedPacket: MediaFailure?
    package func findFormats(isSoundDue: Bool) { while indexMore() {} }

    /// Releases the decoder; the index is kept for a seek back.
    package func releaseDecoder() { decoding = nil }

    /// Does a bounded amount of work.
    package func step() -> TrackStep {
        if goal == .end { return .ended }
        if let packet = waiting.take() { return decode(packet) }
        switch packets.step() {
        case .packet(let packet): return process(packet)
        case .progressed: return .progressed
        case .notYetAvailable: return waitOrChangeApproach()
        case .ended: return end()
        case .lost(let failure): return .lost(failure)
        case .failed(let failure): return .failed(failure)
        }
    }

    // MARK: Landing

    private func process(_ packet: MPEGPacket) -> TrackStep {
        if gaplessFacts == nil, packet.number == 0 { updateGaplessFacts(packet.header) }
        switch goal {
        case .play: return decode(packet)
        case .refillReservoir(let fill, let landing, let wanted):
            return refillReservoir(packet, fill ?? ReservoirFill(format: packet.header), landing, wanted)
        case .reach(let time): return reach(time, with: packet)
        case .land(let pending):
            let target = startOrBeginning(pending, of: section)
            self.target = target
            for target in [target, section.end] { count(for: target) }
            return map?.time(of: target).map { beginApproach(to: $0, at: packet) } ?? .progressed
        case .end: return .ended
        }
    }

    private func refillReservoir(
        _ packet: MPEGPacket, _ fill: ReservoirFill, _ landing: Duration, _ wanted: Duration
    ) -> TrackStep {
        var fill = fill
        if fill.completes(with: packet), let frames {
            goal = .play
            decoding?.land(on: max(frames.frame(at: landing), frames.trimmedFrame(ofPacket: packet.number)))
        } else {
            goal = .refillReservoir(fill, landing: landing, wanted: wanted)
        }
        return decode(packet)
    }

    /// Starts to approach `time`.
    /// - Parameter packet: the packet just read, which may be the one to start with.
    @discardableResult
    func beginApproach(to time: Duration, at packet: MPEGPacket? = nil) -> TrackStep {
        guard let approach = approach(to: time), let timeline = map else { return .progressed }
        (nextTime, requestedTime) = (time, time)
        switch approach {
        case .indexed(let start, let frame):
            goal = .play
            limit = section.limit(in: timeline, from: time)
            decoding = PacketDecoding(gapless: gapless, landingOn: frame)
            if let packet, packet.number == start.packetNumber { return decode(packet) }
            resume(from: start, behind: packet)
        case .follow(let frontier):
            goal = .reach(time)
            resume(from: frontier, behind: packet)
        case .island(let offset, let landing):
            goal = .refillReservoir(nil, landing: landing, wanted: time)
            limit = section.limit(in: timeline, from: time)
            decoding = PacketDecoding(island: gapless, packetFrames: timeline.packets.first.header.samplesPerFrame)
            let format = timeline.packets.index.runs?.last.header ?? timeline.packets.first.header
            packets.land(near: offset, format: format, estimate: timeline.estimate)
        case .end: (goal, isBeyondEnd) = (.end, time > .zero)
        }
        return .progressed
    }

    private func updateGaplessFacts(_ header: MPEGFrameHeader) {
        gaplessFacts = packets.stream.gaplessFacts(header, totalLength: source.downloadProgress.total)
    }

    // MARK: Decoding

    private func decode(_ packet: MPEGPacket) -> TrackStep {
        guard var decoding, let runs = packets.runs else { return .progressed }
        // A limit that depends on the duration is known only when the duration is known.
        if section.needsLimit(after: limit) {
            countForSkippedEnd(of: section, at: packet.offset)
            if let map { limit = section.limit(in: map, from: requestedTime) }
        }
        defer { self.decoding = decoding }
        decoding.release(before: packet.header) { emit($0, at: $1) }
        guard block.frames == 0 else {
            waiting = packet
            return .progressed
        }
        do throws(DecodingError) {
            let format = try decoding.prepare(for: packet.header)
            block.reserve(format, capacity: Self.blockCapacity)
            try packets.withBytes(of: packet) { bytes in
                Result { () throws(DecodingError) in
                    try decoding.decode(packet, bytes, in: runs) { emit($0, at: $1) }
                }
            }.get()
        } catch {
            return .failed(MediaFailure(.badData, "cannot decode the audio: \(error)"))
        }
        silencedPacket = silencedPacket ?? decoding.silencedOffset.map(MediaFailure.damage)
        return .progressed
    }

    private func emit(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) {
        guard let timeline = frames else { return }
        let channels = block.format.channels
        var count = Int64(samples.count / channels)
        if let limit, case let end = timeline.frame(at: limit - correction.time), frame + count >= end {
            count = max(0, end - frame)
            goal = .end
        }
        nextTime = timeline.time(ofFrame: frame + count)
        if count > 0 { target = nil }
        let kept = UnsafeBufferPointer(rebasing: samples[..<(Int(count) * channels)])
        block.append(kept, at: frame, time: timeline.time(ofFrame: frame))
    }

    private func end() -> TrackStep {
        switch goal {
        // The whole item is indexed now, so the target may be known now.
        case .land(let target):
            if let time = map?.time(of: target) { return beginApproach(to: time) }
        case .reach(let time): return beginApproach(to: target.flatMap { map?.time(of: $0) } ?? time)
        case .refillReservoir(_, _, let time) where packets.island?.first == nil: return count(upTo: time)
        case .refillReservoir, .play, .end: break
        }
        goal = .end
        // The padding is not played, so a target in it is beyond the end.
        isBeyondEnd = requestedTime > .zero
        decoding?.finish(afterPackets: packets.isWholeIndexed ? packets.index.count : nil) { emit($0, at: $1) }
        return .progressed
    }
}
