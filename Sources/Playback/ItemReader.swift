// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import MPEGAudio
import Media

/// Reads one item: packets → trimmed PCM at the item's own rate. Confined to the playback thread.
///
/// A seek behind the frontier of the index starts again at an indexed packet; one that goes not far beyond it parses
/// on, without decoding, until the packet is there; one that goes further lands on an island.
final class ItemReader {
    enum Step: Equatable {
        /// There is more to do, or `block` holds frames.
        case worked
        /// The next byte has not arrived.
        case edge
        /// The item is read to its end.
        case ended
        /// The next byte is not there, and will not come by itself; a step made once it came goes on.
        case lost(MediaFailure)
        case failed(MediaFailure)
    }

    /// The most frames one step can make: all that a trimmer holds back, and a packet.
    static let blockCapacity = GaplessTrimmer.holdLimit + 4 * 1152

    let item: PlaybackItem
    private let packets: PacketReader
    /// Trimmed frames that nobody has taken yet; a step is made only while it is empty.
    private(set) var block = PCMBuffer(format: AudioFormat(sampleRate: 44100, channels: 2), capacity: 0)
    /// The number of the first of them in the item.
    private(set) var blockStart: Int64 = 0

    private var goal: Goal
    private var decoding: PacketDecoding?
    /// Facts of the whole file; `nil` before its first packet was found.
    private var settledGapless: GaplessFacts?
    /// The frame to stop at; `nil`: the end.
    private var limit: Int64?
    /// The frame to be put out next, as far as that can be told.
    private(set) var nextFrame: Int64?

    private enum Goal: Equatable {
        /// To land there, as soon as it can be told where that is.
        case land(TimeTarget)
        /// To parse on until this packet is indexed, then land on the frame.
        case reach(packet: Int64, frame: Int64)
        /// To decode until the sound is right, then land on the frame or soon after; `wanted` is what was asked for.
        case settle(ReservoirFill, frame: Int64, wanted: Int64)
        /// To decode what comes.
        case play
        /// Nothing more.
        case end
    }

    /// - Parameter kept: an index made when the item was last read, if there is one.
    init(item: PlaybackItem, source: any ByteSource, kept: @escaping () -> KeptFrameIndex? = { nil }) {
        self.item = item
        packets = PacketReader(source: source, kept: kept)
        goal = .land(item.start ?? .time(.zero))
    }

    /// Goes on in the version that took the place of another reader's.
    init(goingOnFrom reader: ItemReader, to landing: VersionCrossing.Landing, in crossing: VersionCrossing) {
        item = reader.item
        packets = crossing.packets
        // A reader that has landed nowhere leaves that to this one.
        goal = reader.goal
        if let first = packets.first { settleGaplessFacts(first.header) }
        guard let timeline, let frame = reader.nextFrame, let old = reader.timeline else { return }
        switch landing {
        case .packet(let packet): go(to: timeline.frame(ofPacket: packet, offset: old.offset(ofFrame: frame)))
        case .sameTime:
            let time = old.format.duration(ofFrames: frame + reader.correction.frames)
            goal = .land(.time(time))
            go(to: timeline.format.frames(in: time))
        }
    }

    /// What another version is compared with, to find the place where this reader stands; `nil` before there is one.
    var origin: VersionOrigin? {
        guard let nextFrame, let timeline else { return nil }
        // All that is there helps to find it.
        while packets.survey(budget: 64 << 20) {}
        let (hashes, first) = packets.island.map { ($0.hashes, $0.firstNumber ?? 0) } ?? (packets.hashes, 0)
        let packet = timeline.packet(ofFrame: nextFrame) - first
        return VersionOrigin(packet: (0...hashes.count).contains(packet) ? packet : nil, hashes: hashes, first: first)
    }

    var source: any ByteSource { packets.source }
    var isOnIsland: Bool { packets.island != nil }
    private var gapless: GaplessFacts { settledGapless ?? .none }
    /// Where the next byte is read.
    var readOffset: Int64 { packets.readOffset }

    /// What is known of the item's time; `nil` before its first packet was found.
    var timeline: TrackTimeline? {
        guard let first = packets.first else { return nil }
        let facts = TrackTimeline.PacketFacts(
            first: first, stream: packets.stream, totalLength: source.arrival.total)
        return TrackTimeline(packets: facts, gapless: gapless)
    }

    /// Frames to be added to `blockStart` to make it true, and whether what it is to be is still unknown: while what is
    /// read is an island.
    var correction: (frames: Int64, isUnknown: Bool) {
        guard let island = packets.island, let first = packets.first else { return (0, false) }
        return ((island.correction ?? 0) * Int64(first.header.samplesPerFrame), island.correction == nil)
    }

    /// The server sends from the beginning only, and the place to land on is far ahead.
    var mustWaitForLanding: Bool {
        if case .reach = goal { !source.arrival.canSkipAhead } else { false }
    }

    /// The index of the whole item, once, where it was not kept already.
    func takeIndexToKeep() -> KeptFrameIndex? { packets.takeIndexToKeep() }

    func seek(to target: TimeTarget) {
        block.removeAll()
        nextFrame = nil
        // What it holds back belongs to the place left.
        decoding = nil
        goal = .land(target)
        if let frame = timeline?.frame(of: target) {
            go(to: frame)
        } else if packets.island != nil, let frontier = packets.index.frontier {
            packets.resume(at: frontier)
        }
    }

    /// Indexes some of what has arrived, so that times become exact: all at once where an island waits for it, else
    /// little by little.
    /// - Returns: whether there is more to do at once.
    func survey() -> Bool {
        let isUrgent = correction.isUnknown
        return packets.survey(budget: isUrgent ? 1 << 20 : 256 << 10) && isUrgent
    }

    func takeBlock() { block.removeAll() }

    /// Drops what only decoding needs; the index stays, for a seek back.
    func releaseDecoder() { decoding = nil }

    /// Does a bounded piece of work.
    func step() -> Step {
        if goal == .end { return .ended }
        switch packets.step() {
        case .packet(let packet): return take(packet)
        case .worked: return .worked
        case .edge: return waitOrTurnBack()
        case .ended: return end()
        case .lost(let failure): return .lost(failure)
        case .failed(let failure): return .failed(failure)
        }
    }

    // MARK: Landing

    private func take(_ packet: MPEGPacket) -> Step {
        if settledGapless == nil, packet.number == 0 { settleGaplessFacts(packet.header) }
        switch goal {
        case .play: return decode(packet)
        case .settle(var fill, let frame, let wanted):
            if fill.completes(with: packet) {
                goal = .play
                decoding?.land(on: max(frame, timeline?.frame(ofPacket: packet.number) ?? 0))
            } else {
                goal = .settle(fill, frame: frame, wanted: wanted)
            }
            return decode(packet)
        case .reach(let number, _) where number >= packets.index.count: return .worked
        case .reach(_, let frame):
            return go(to: frame, at: packet)
        case .land(let target):
            return timeline?.frame(of: target).map { go(to: $0, at: packet) } ?? .worked
        case .end: return .ended
        }
    }

    /// Aims at `frame`.
    /// - Parameter packet: the one just read, which may be the one to start with.
    @discardableResult
    private func go(to frame: Int64, at packet: MPEGPacket? = nil) -> Step {
        guard let approach = approach(to: frame), let timeline else { return .worked }
        nextFrame = frame
        switch approach {
        case .indexed(let start):
            goal = .play
            limit = item.end.flatMap(timeline.frame)
            decoding = PacketDecoding(gapless: gapless, landingOn: frame)
            if let packet, packet.number == start.packetNumber { return decode(packet) }
            goOn(from: start, behind: packet)
        case .follow(let frontier, let number):
            goal = .reach(packet: number, frame: frame)
            goOn(from: frontier, behind: packet)
        case .island(let offset, let landing):
            let header = timeline.packets.first.header
            goal = .settle(ReservoirFill(format: header), frame: landing, wanted: frame)
            limit = item.end.flatMap(timeline.frame)
            decoding = PacketDecoding(island: gapless, packetFrames: header.samplesPerFrame)
            packets.land(near: offset, format: header, estimate: timeline.estimate)
        case .end: goal = .end
        }
        return .worked
    }

    /// An estimate is made of all that has arrived.
    private func approach(to frame: Int64) -> SeekApproach? {
        if case .island = timeline?.approach(to: frame, source.arrival) {
            _ = packets.survey(budget: 64 << 20)
        }
        return timeline?.approach(to: frame, source.arrival)
    }

    /// At the frontier the parser goes on by itself.
    private func goOn(from point: SeekPoint, behind packet: MPEGPacket?) {
        guard packets.island != nil || packet.map({ point.packetNumber != $0.number + 1 }) ?? true else { return }
        packets.resume(at: point)
    }

    /// The island cannot be had after all where the server only sends from the beginning: then what lies in between
    /// is waited for.
    private func waitOrTurnBack() -> Step {
        guard case .settle(_, _, let frame) = goal, !source.arrival.canSkipAhead else { return .edge }
        return go(to: frame)
    }

    private func settleGaplessFacts(_ header: MPEGFrameHeader) {
        settledGapless = packets.stream.gaplessFacts(header, totalLength: source.arrival.total)
    }

    // MARK: Decoding

    private func decode(_ packet: MPEGPacket) -> Step {
        guard var decoding else { return .worked }
        // A part of the whole can only be told when the whole is known.
        if limit == nil { limit = item.end.flatMap { timeline?.frame(of: $0) } }
        defer { self.decoding = decoding }
        do throws(DecodingError) {
            let format = try decoding.prepare(for: packet.header)
            if block.format != format || block.capacity == 0 {
                block = PCMBuffer(format: format, capacity: Self.blockCapacity)
            }
            try packets.withBytes(of: packet) { bytes in
                Result { () throws(DecodingError) in try decoding.decode(packet, bytes) { emit($0, at: $1) } }
            }.get()
        } catch {
            return .failed(MediaFailure(.badData, "its sound cannot be decoded: \(error)"))
        }
        return .worked
    }

    private func emit(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) {
        if block.frames == 0 { blockStart = frame }
        let channels = block.format.channels
        var frames = samples.count / channels
        if let limit, frame + correction.frames + Int64(frames) >= limit {
            frames = Int(max(0, limit - frame - correction.frames))
            goal = .end
        }
        nextFrame = frame + Int64(frames)
        block.append(UnsafeBufferPointer(rebasing: samples[..<(frames * channels)]))
    }

    private func end() -> Step {
        switch goal {
        // The whole is indexed now: what could not be told before can be told now.
        case .land(let target):
            if let frame = timeline?.frame(of: target) { return go(to: frame) }
        case .reach(_, let frame): return go(to: frame)
        case .settle, .play, .end: break
        }
        goal = .end
        decoding?.finish(afterPackets: packets.isWholeIndexed ? packets.index.count : nil) { emit($0, at: $1) }
        return .worked
    }
}
