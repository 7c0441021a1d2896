// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// Bytes → packets of one item, and the index that grows as they pass. Confined to the playback thread.
///
/// One cursor reads what is to be played, wherever that is; `survey` lets another one index what has arrived from the
/// beginning on, ahead of the first or behind it.
final class PacketReader {
    enum Step: Equatable {
        case packet(MPEGPacket)
        /// Bytes were read or passed over; there is more to do.
        case worked
        /// The next byte has not arrived.
        case edge
        case ended
        /// The next byte is not there, and will not come by itself.
        case lost(MediaFailure)
        case failed(MediaFailure)
    }

    private static let windowSize = 64 << 10

    let source: any ByteSource
    /// Asked once, when the first packet is found: an index made when the file was last read.
    private let kept: () -> KeptFrameIndex?
    /// The index was made here, so that it is worth keeping.
    private var isOwnIndex = true
    /// What the packets indexed and the tags say.
    private(set) var stream = IndexedStream()
    /// Of the packets indexed.
    private(set) var hashes = PacketHashes()
    private let keepsHashes: Bool
    /// Where the cursor is, if it is not where the index tells the packets' numbers.
    private(set) var island: Island?

    private var cursor: PacketCursor
    /// Indexes what the cursor does not.
    private var surveyor: PacketCursor?
    /// The number of the packet with which the surveyor begins or goes on.
    private var surveyed: Int64 = 0
    private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: windowSize, alignment: 16)

    /// - Parameter isCompared: whether its packets are compared with those of another version.
    init(
        source: any ByteSource, isCompared: Bool = false, kept: @escaping () -> KeptFrameIndex? = { nil }
    ) {
        self.source = source
        self.kept = kept
        // What is whole will not be another version behind its edge.
        keepsHashes = isCompared || source.arrival.condition != .complete
        cursor = PacketCursor(in: source)
    }

    deinit { window.deallocate() }

    var index: FrameIndex { stream.index }
    var first: MPEGPacket? { stream.first }
    /// The formats of the packets read: true ones, or on an island estimates; `nil` before the first packet.
    var runs: FormatRuns? { island?.runs ?? index.runs }
    /// The packets up to the file's end are indexed.
    var isWholeIndexed: Bool { stream.isWhole }
    /// Where the next byte is read.
    var readOffset: Int64 { cursor.readOffset }

    func step() -> Step {
        while true {
            switch cursor.step(window) {
            case .event(.packet(let packet)): return .packet(take(packet))
            case .event(let event): if island == nil { stream.note(event) }
            case .worked: return .worked
            case .edge: return .edge
            case .ended: return end()
            case .lost(let failure): return .lost(failure)
            case .failed(let failure): return .failed(failure)
            }
        }
    }

    func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try cursor.withBytes(of: packet, body)
    }

    /// Goes on from an indexed place.
    func resume(at point: SeekPoint) {
        cursor = PacketCursor(MPEGStreamParser(resumingAt: point), in: source)
        island = nil
    }

    /// Goes on with the first packet behind `offset`, whatever lies in between.
    /// - Parameters:
    ///   - format: a header of the stream.
    ///   - estimate: tells the number of that packet.
    func land(near offset: Int64, format: MPEGFrameHeader, estimate: DurationEstimate) {
        cursor = PacketCursor(MPEGStreamParser(searchingFrom: offset, for: format), in: source)
        island = index.runs.map { Island(estimate: estimate, runs: $0) }
    }

    private func take(_ packet: MPEGPacket) -> MPEGPacket {
        guard island != nil else {
            add(packet, from: cursor)
            return packet
        }
        if keepsHashes { cursor.withBytes(of: packet) { island?.append(hashOf: $0) } }
        return island?.number(packet) ?? packet
    }

    /// Puts a packet whose number is true into the index, if it is the next one.
    private func add(_ packet: MPEGPacket, from cursor: PacketCursor) {
        // What is indexed already, by a kept index or the other cursor, was hashed then.
        if keepsHashes, packet.number == hashes.count { cursor.withBytes(of: packet) { hashes.append(hashOf: $0) } }
        let isFirst = first == nil
        stream.append(packet)
        if isFirst { takeKeptIndex() }
        if let runs = index.runs { island?.meet(packet, runs) }
    }

    private func takeKeptIndex() {
        guard let first, let kept = kept(), kept.fits(totalLength: source.arrival.total, firstPacket: first)
        else { return }
        stream.adopt(kept)
        isOwnIndex = false
    }

    /// The index of the whole file, once, if it was made here.
    func takeIndexToKeep() -> KeptFrameIndex? {
        guard isWholeIndexed, isOwnIndex, let total = source.arrival.total else { return nil }
        isOwnIndex = false
        return KeptFrameIndex(index, totalLength: total)
    }

    private func end() -> Step {
        if island == nil { stream.end() }
        return .ended
    }
}

// MARK: Indexing what is not played
extension PacketReader {
    /// Indexes packets that have arrived and follow the last one indexed, as long as they lie within `budget` bytes.
    /// - Returns: whether there may be more at once.
    func survey(budget: Int64) -> Bool {
        guard !isWholeIndexed, let frontier = index.frontier else { return false }
        // The other cursor may have passed by.
        if surveyor == nil || surveyed != index.count {
            surveyor = PacketCursor(MPEGStreamParser(resumingAt: frontier), in: source)
        }
        defer { surveyed = index.count }
        // Counted in bytes read, for there may be long stretches without a packet.
        let start = surveyor?.readOffset ?? 0
        while surveyor?.readOffset ?? .max < start + budget {
            guard let step = surveyor?.step(window), let surveyor else { return false }
            switch step {
            case .event(.packet(let packet)): add(packet, from: surveyor)
            case .event, .worked: continue
            case .ended:
                stream.end()
                return false
            case .edge, .lost, .failed: return false
            }
        }
        return true
    }
}
