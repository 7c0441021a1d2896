// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import MPEGAudio
import Media

/// A reader of one item: packets → trimmed PCM at the item's own rate. Confined to the playback thread.
///
/// A seek into the indexed part restarts at an indexed packet. A seek to a target slightly beyond it parses, without
/// decoding, until the packet is available. A seek to a target farther ahead lands on an island.
final class ItemReader {
    enum Step: Equatable {
        /// A step was made; `block` may contain frames.
        case progressed
        /// The next byte is not yet available.
        case notYetAvailable
        /// The item is read to its end.
        case ended
        /// The next byte does not arrive without a retry; reading can continue once it arrives.
        case lost(MediaFailure)
        case failed(MediaFailure)
    }

    /// The maximum number of frames of one step: all frames that a trimmer holds back, and a packet.
    static let blockCapacity = GaplessTrimmer.holdLimit + 4 * 1152

    let item: PlaybackItem
    private let packets: PacketReader
    /// Trimmed frames that were not taken yet; a step is made only while it is empty.
    private(set) var block = PCMBuffer(format: AudioFormat(sampleRate: 44100, channels: 2), capacity: 0)
    /// The number of the first of them in the item, and its time.
    private(set) var blockStart: Int64 = 0
    private(set) var blockTime = Duration.zero

    private var goal: ReadingGoal
    private var decoding: PacketDecoding?
    /// The trimming of the whole file; `nil` until its first packet is found.
    private var gaplessFacts: GaplessFacts?
    /// The time to stop at; `nil` for the end.
    private var limit: Duration?
    /// The time of the next frame, if it is known.
    private(set) var nextTime: Duration?
    /// A packet of a new format that is not yet decoded, because frames of the previous format come first.
    private var waiting: MPEGPacket?
    /// The last target, and a flag that is true if it lies beyond the end, so that no frame is played.
    private(set) var requestedTime = Duration.zero
    private(set) var isBeyondEnd = false

    /// - Parameter kept: returns an index made when the item was last read, if there is one.
    init(item: PlaybackItem, source: any ByteSource, kept: @escaping () -> KeptFrameIndex? = { nil }) {
        self.item = item
        packets = PacketReader(source: source, kept: kept)
        goal = .land(item.start ?? .time(.zero))
    }

    /// Continues in the version that replaced the version of another reader.
    init(goingOnFrom reader: ItemReader, to landing: VersionTransition.Landing, in crossing: VersionTransition) {
        item = reader.item
        packets = crossing.packets
        // If the other reader has not landed yet, this one lands instead.
        goal = reader.goal
        if let first = packets.first { updateGaplessFacts(first.header) }
        guard let frames = timeline?.frames, let time = reader.nextTime, let old = reader.frames else { return }
        switch landing {
        case .packet(let packet):
            let frame = old.frame(at: time)
            let offset = frame - old.trimmedFrame(ofPacket: old.packet(holding: frame))
            beginApproach(to: frames.time(ofFrame: max(0, frames.trimmedFrame(ofPacket: packet) + offset)))
        case .sameTime:
            goal = .land(.time(time + reader.correction.time))
            beginApproach(to: time + reader.correction.time)
        }
    }

    /// The data to find this reader's position in another version; `nil` while the position is unknown.
    var origin: VersionOrigin? {
        guard let nextTime, let frames else { return nil }
        // All downloaded packets help to find the position.
        while packets.survey(budget: 64 << 20) {}
        let (hashes, first) = packets.island.map { ($0.hashes, $0.firstNumber ?? 0) } ?? (packets.hashes, 0)
        let packet = frames.packet(at: nextTime) - first
        return VersionOrigin(packet: (0...hashes.count).contains(packet) ? packet : nil, hashes: hashes, first: first)
    }

    var source: any ByteSource { packets.source }
    var isOnIsland: Bool { packets.island != nil }
    private var gapless: GaplessFacts { gaplessFacts ?? .none }
    /// The offset of the next read.
    var readOffset: Int64 { packets.readOffset }

    /// The timeline of the item; `nil` until its first packet is found.
    var timeline: TrackTimeline? {
        guard let first = packets.first else { return nil }
        let facts = TrackTimeline.PacketFacts(
            first: first, stream: packets.stream, totalLength: source.downloadProgress.total)
        return TrackTimeline(packets: facts, gapless: gapless)
    }

    /// The frames and times of the packets being read: on an island they are estimates until they are corrected.
    private var frames: PacketTimeline? { packets.runs.map { PacketTimeline(runs: $0, start: gapless.start) } }

    /// The difference to add to `blockTime` to make it exact, and a flag that is true while an island's is unknown.
    var correction: (time: Duration, isUnknown: Bool) {
        guard let island = packets.island else { return (.zero, false) }
        return (island.correction ?? .zero, island.correction == nil)
    }

    /// True if the target is far ahead and the server can only send from the beginning.
    var mustWaitForLanding: Bool {
        if case .reach = goal { !source.downloadProgress.canSkipAhead } else { false }
    }

    /// Returns the index of the whole item once, unless it was kept already.
    func removeIndexToStore() -> KeptFrameIndex? { packets.removeIndexToStore() }

    func seek(to target: TimeTarget) {
        block.removeAll()
        nextTime = nil
        // The decoder's held frames belong to the old position.
        (decoding, waiting, isBeyondEnd) = (nil, nil, false)
        goal = .land(target)
        if let time = timeline?.time(of: target) {
            beginApproach(to: time)
        } else if packets.island != nil, let frontier = packets.index.frontier {
            packets.resume(at: frontier)
        }
    }

    /// Indexes some of the downloaded bytes, so that times become exact: immediately if an island waits for it,
    /// otherwise gradually.
    /// - Returns: true if there is more to do immediately.
    func survey() -> Bool {
        let isUrgent = correction.isUnknown
        return packets.survey(budget: isUrgent ? 1 << 20 : 256 << 10) && isUrgent
    }

    /// Indexes more of the downloaded bytes than `survey` does.
    /// - Returns: true if there is more to do immediately.
    func indexMore() -> Bool { packets.survey(budget: 64 << 20) }
    var isWholeIndexed: Bool { packets.isWholeIndexed }

    func clearBlock() { block.removeAll() }

    /// Releases the decoder; the index is kept for a seek back.
    func releaseDecoder() { decoding = nil }

    /// Does a bounded amount of work.
    func step() -> Step {
        if goal == .end { return .ended }
        if let packet = waiting.take() { return decode(packet) }
        switch packets.step() {
        case .packet(let packet): return process(packet)
        case .progressed: return .progressed
        case .notYetAvailable: return waitOrLeaveIsland()
        case .ended: return end()
        case .lost(let failure): return .lost(failure)
        case .failed(let failure): return .failed(failure)
        }
    }

    // MARK: Landing

    private func process(_ packet: MPEGPacket) -> Step {
        if gaplessFacts == nil, packet.number == 0 { updateGaplessFacts(packet.header) }
        switch goal {
        case .play: return decode(packet)
        case .refillReservoir(let fill, let landing, let wanted):
            return refillReservoir(packet, fill ?? ReservoirFill(format: packet.header), landing, wanted)
        case .reach(let time):
            let number = frames?.packet(at: time) ?? 0
            return number >= packets.index.count && !packets.index.isFull
                ? .progressed : beginApproach(to: time, at: packet)
        case .land(let target):
            return timeline?.time(of: target).map { beginApproach(to: $0, at: packet) } ?? .progressed
        case .end: return .ended
        }
    }

    private func refillReservoir(
        _ packet: MPEGPacket, _ fill: ReservoirFill, _ landing: Duration, _ wanted: Duration
    ) -> Step {
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
    private func beginApproach(to time: Duration, at packet: MPEGPacket? = nil) -> Step {
        guard let approach = approach(to: time), let timeline else { return .progressed }
        (nextTime, requestedTime) = (time, time)
        switch approach {
        case .indexed(let start, let frame):
            goal = .play
            limit = item.end.flatMap(timeline.time)
            decoding = PacketDecoding(gapless: gapless, landingOn: frame)
            if let packet, packet.number == start.packetNumber { return decode(packet) }
            resume(from: start, behind: packet)
        case .follow(let frontier):
            goal = .reach(time)
            resume(from: frontier, behind: packet)
        case .island(let offset, let landing):
            goal = .refillReservoir(nil, landing: landing, wanted: time)
            limit = item.end.flatMap(timeline.time)
            decoding = PacketDecoding(island: gapless, packetFrames: timeline.packets.first.header.samplesPerFrame)
            let format = timeline.packets.index.runs?.last.header ?? timeline.packets.first.header
            packets.land(near: offset, format: format, estimate: timeline.estimate)
        case .end: (goal, isBeyondEnd) = (.end, time > .zero)
        }
        return .progressed
    }

    /// Returns the approach to `time`, after indexing all downloaded bytes if it depends on an estimate.
    private func approach(to time: Duration) -> SeekApproach? {
        let look = { [self] in timeline?.approach(to: time, source.downloadProgress, claimed: item.claimedDuration) }
        if case .island = look() { _ = packets.survey(budget: 64 << 20) }
        return look()
    }

    /// Resumes at `point` unless the parser is already there.
    private func resume(from point: SeekPoint, behind packet: MPEGPacket?) {
        guard packets.island != nil || packet.map({ point.packetNumber != $0.number + 1 }) ?? true else { return }
        packets.resume(at: point)
    }

    /// Waits for the next byte, but leaves the island if the server turns out to send only from the beginning; the
    /// reader then waits for the bytes in between.
    private func waitOrLeaveIsland() -> Step {
        guard case .refillReservoir(_, _, let time) = goal, !source.downloadProgress.canSkipAhead else {
            return .notYetAvailable
        }
        return beginApproach(to: time)
    }

    private func updateGaplessFacts(_ header: MPEGFrameHeader) {
        gaplessFacts = packets.stream.gaplessFacts(header, totalLength: source.downloadProgress.total)
    }

    // MARK: Decoding

    private func decode(_ packet: MPEGPacket) -> Step {
        guard var decoding, let runs = packets.runs else { return .progressed }
        // A fraction of the duration is known only when the duration is known.
        if limit == nil { limit = item.end.flatMap { timeline?.time(of: $0) } }
        defer { self.decoding = decoding }
        decoding.release(before: packet.header) { emit($0, at: $1) }
        guard block.frames == 0 else {
            waiting = packet
            return .progressed
        }
        do throws(DecodingError) {
            let format = try decoding.prepare(for: packet.header)
            if block.format != format || block.capacity == 0 {
                block = PCMBuffer(format: format, capacity: Self.blockCapacity)
            }
            try packets.withBytes(of: packet) { bytes in
                Result { () throws(DecodingError) in
                    try decoding.decode(packet, bytes, in: runs) { emit($0, at: $1) }
                }
            }.get()
        } catch {
            return .failed(MediaFailure(.badData, "cannot decode the audio: \(error)"))
        }
        return .progressed
    }

    private func emit(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) {
        guard let timeline = frames else { return }
        if block.frames == 0 { (blockStart, blockTime) = (frame, timeline.time(ofFrame: frame)) }
        let channels = block.format.channels
        var count = Int64(samples.count / channels)
        if let limit, case let end = timeline.frame(at: limit - correction.time), frame + count >= end {
            count = max(0, end - frame)
            goal = .end
        }
        nextTime = timeline.time(ofFrame: frame + count)
        block.append(UnsafeBufferPointer(rebasing: samples[..<(Int(count) * channels)]))
    }

    private func end() -> Step {
        switch goal {
        // The whole item is indexed now, so the target may be known now.
        case .land(let target):
            if let time = timeline?.time(of: target) { return beginApproach(to: time) }
        case .reach(let time): return beginApproach(to: time)
        case .refillReservoir, .play, .end: break
        }
        goal = .end
        // The padding is not played, so a target in it is beyond the end.
        isBeyondEnd = requestedTime > .zero
        decoding?.finish(afterPackets: packets.isWholeIndexed ? packets.index.count : nil) { emit($0, at: $1) }
        return .progressed
    }
}
