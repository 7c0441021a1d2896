// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import MPEGAudio
import Media

/// Reads one item: packets → trimmed PCM at the item's own rate. Confined to the playback thread.
///
/// A seek behind the frontier of the index starts again at an indexed packet; a seek beyond it parses on, without
/// decoding, until the packet is there.
final class ItemReader {
    enum Step: Equatable {
        /// There is more to do, or `block` holds frames.
        case worked
        /// The next byte has not arrived.
        case edge
        /// The item is read to its end.
        case ended
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
    /// Facts of the whole file, settled when its first packet is found.
    private var gapless = GaplessFacts.none
    /// The frame to stop at; `nil`: the end.
    private var limit: Int64?

    private enum Goal: Equatable {
        /// To land there, as soon as it can be told where that is.
        case land(TimeTarget)
        /// To parse on until this packet is indexed, then land on the frame.
        case reach(packet: Int64, frame: Int64)
        /// To decode what comes.
        case play
        /// Nothing more.
        case end
    }

    init(item: PlaybackItem, source: any ByteSource) {
        self.item = item
        packets = PacketReader(source: source)
        goal = .land(item.start ?? .time(.zero))
    }

    var source: any ByteSource { packets.source }
    /// Where the next byte is read.
    var readOffset: Int64 { packets.readOffset }

    /// What is known of the item's time; `nil` before its first packet was found.
    var timeline: TrackTimeline? {
        guard let first = packets.first else { return nil }
        let facts = TrackTimeline.PacketFacts(
            first: first, info: packets.info, index: packets.index, isWholeIndexed: packets.isWholeIndexed,
            totalLength: source.arrival.total)
        return TrackTimeline(packets: facts, gapless: gapless)
    }

    func seek(to target: TimeTarget) {
        block.removeAll()
        // What it holds back belongs to the place left.
        decoding = nil
        goal = .land(target)
        guard let frame = timeline?.frame(of: target), let start = begin(at: frame) else { return }
        packets.resume(at: start)
    }

    func takeBlock() { block.removeAll() }

    /// Drops what only decoding needs; the index stays, for a seek back.
    func releaseDecoder() { decoding = nil }

    /// Does a bounded piece of work.
    func step() -> Step {
        if goal == .end { return .ended }
        switch packets.step() {
        case .packet(let packet): return take(packet)
        case .worked: break
        case .edge: return .edge
        case .ended: return end()
        case .failed(let failure): return .failed(failure)
        }
        return .worked
    }

    // MARK: Landing

    private func take(_ packet: MPEGPacket) -> Step {
        if packets.index.count == 1, packet.number == 0 { settleGaplessFacts(packet.header) }
        guard goal != .play else { return decode(packet) }
        if case .reach(let number, _) = goal, number >= packets.index.count { return .worked }
        guard let frame = landingFrame, let start = begin(at: frame) else { return .worked }
        if start.packetNumber == packet.number { return decode(packet) }
        // At the frontier the parser goes on by itself.
        if start.packetNumber != packet.number + 1 { packets.resume(at: start) }
        return .worked
    }

    /// The frame to land on, where that can be told.
    private var landingFrame: Int64? {
        switch goal {
        case .land(let target): timeline?.frame(of: target)
        case .reach(_, let frame): frame
        case .play, .end: nil
        }
    }

    /// Aims at `frame`.
    /// - Returns: where to parse on; `nil` where the item ends before it.
    private func begin(at frame: Int64) -> SeekPoint? {
        guard let timeline else { return nil }
        let number = timeline.packet(ofFrame: frame)
        if number < packets.index.count, let start = packets.index.seekPoint(for: number) {
            goal = .play
            limit = item.end.flatMap(timeline.frame)
            decoding = PacketDecoding(gapless: gapless, landingOn: frame)
            return start
        }
        goal = packets.isWholeIndexed ? .end : .reach(packet: number, frame: frame)
        return packets.isWholeIndexed ? nil : packets.index.frontier
    }

    private func settleGaplessFacts(_ header: MPEGFrameHeader) {
        gapless = GaplessFacts(
            info: packets.info, iTunes: packets.iTunes, format: header, totalLength: source.arrival.total)
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
        if let limit, frame + Int64(frames) >= limit {
            frames = Int(max(0, limit - frame))
            goal = .end
        }
        block.append(UnsafeBufferPointer(rebasing: samples[..<(frames * channels)]))
    }

    private func end() -> Step {
        // The whole is indexed now: what could not be told before can be told now.
        if let frame = landingFrame, let start = begin(at: frame) {
            packets.resume(at: start)
            return .worked
        }
        goal = .end
        decoding?.finish(afterPackets: packets.index.count) { emit($0, at: $1) }
        return .worked
    }
}
