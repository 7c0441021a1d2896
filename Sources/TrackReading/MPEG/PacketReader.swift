// SPDX-License-Identifier: GPL-3.0-or-later
package import MPEGAudio
package import Media

/// A reader of the packets of one item that also builds their index. Confined to the playback thread.
///
/// One cursor reads the packets to be played, at any position. A second cursor, in `survey`, indexes the downloaded
/// bytes from the beginning on, before or after the position of the first.
package final class PacketReader {
    package enum Step: Equatable {
        case packet(MPEGPacket)
        /// Bytes were read or skipped; call `step` again.
        case progressed
        /// The next byte is not yet available.
        case notYetAvailable
        case ended
        /// The next byte does not arrive without a retry.
        case lost(MediaFailure)
        case failed(MediaFailure)
    }

    private static let windowSize = 64 << 10

    package let source: any ByteSource
    /// Returns an index made when the file was last read. Called once, when the first packet is found.
    private let kept: () -> KeptFrameIndex?
    /// True if the index was built here, so that it is worth keeping.
    private var isOwnIndex = true
    /// The index of the packets and the content of the tags.
    private(set) var stream = IndexedStream()
    /// The hashes of the indexed packets.
    package private(set) var hashes = PacketHashes()
    private let keepsHashes: Bool
    /// The island that the cursor reads; `nil` while the index determines the packets' numbers.
    private(set) var island: Island?

    private var cursor: PacketCursor
    /// The cursor that indexes the packets that `cursor` does not read.
    private var surveyor: PacketCursor?
    /// The number of the next packet that the surveyor reads.
    private var surveyed: Int64 = 0
    private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: windowSize, alignment: 16)

    /// - Parameter isCompared: true if its packets are compared with those of another version.
    package init(
        source: any ByteSource, isCompared: Bool = false, kept: @escaping () -> KeptFrameIndex? = { nil }
    ) {
        self.source = source
        self.kept = kept
        // A complete download cannot be replaced by another version.
        keepsHashes = isCompared || source.downloadProgress.condition != .complete
        cursor = PacketCursor(in: source)
    }

    deinit { window.deallocate() }

    var index: FrameIndex { stream.index }
    package var first: MPEGPacket? { stream.first }
    /// The formats of the packets read: exact, or estimated on an island; `nil` before the first packet.
    var runs: FormatRuns? { island?.runs ?? index.runs }
    /// True if the packets up to the file's end are indexed.
    package var isWholeIndexed: Bool { stream.isWhole }
    /// The offset of the next read.
    package var readOffset: Int64 { cursor.readOffset }

    package func step() -> Step {
        while true {
            switch cursor.step(window) {
            case .event(.packet(let packet)): return .packet(record(packet))
            case .event(let event): if island == nil { stream.note(event) }
            case .progressed: return .progressed
            case .notYetAvailable: return .notYetAvailable
            case .ended: return end()
            case .lost(let failure): return .lost(failure)
            case .failed(let failure): return .failed(failure)
            }
        }
    }

    func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try cursor.withBytes(of: packet, body)
    }

    /// Continues at an indexed packet.
    func resume(at point: SeekPoint) {
        cursor = PacketCursor(MPEGStreamParser(resumingAt: point), in: source)
        island = nil
    }

    /// Continues at the first packet after `offset`, skipping the bytes in between.
    /// - Parameters:
    ///   - format: a header of the stream.
    ///   - estimate: estimates the number of that packet.
    func land(near offset: Int64, format: MPEGFrameHeader, estimate: DurationEstimate) {
        cursor = PacketCursor(MPEGStreamParser(searchingFrom: offset, for: format), in: source)
        island = index.runs.map { Island(estimate: estimate, runs: $0) }
    }

    private func record(_ packet: MPEGPacket) -> MPEGPacket {
        guard island != nil else {
            add(packet, from: cursor)
            return packet
        }
        if keepsHashes { cursor.withBytes(of: packet) { island?.append(hashOf: $0) } }
        return island?.number(packet) ?? packet
    }

    /// Adds a packet with an exact number to the index, if it is the next one.
    private func add(_ packet: MPEGPacket, from cursor: PacketCursor) {
        // Packets that were indexed before, by a kept index or the other cursor, were hashed then.
        if keepsHashes, packet.number == hashes.count { cursor.withBytes(of: packet) { hashes.append(hashOf: $0) } }
        let isFirst = first == nil
        stream.append(packet)
        if isFirst { loadStoredIndex() }
        if let runs = index.runs { island?.computeCorrection(packet, runs) }
    }

    private func loadStoredIndex() {
        guard let first, let kept = kept(), kept.fits(totalLength: source.downloadProgress.total, firstPacket: first)
        else { return }
        stream.adopt(kept)
        isOwnIndex = false
    }

    /// Returns the index of the whole file once, if it was built here.
    func removeIndexToStore() -> KeptFrameIndex? {
        guard isWholeIndexed, isOwnIndex, let total = source.downloadProgress.total else { return nil }
        isOwnIndex = false
        return KeptFrameIndex(index, totalLength: total)
    }

    private func end() -> Step {
        if island == nil { stream.end() }
        return .ended
    }
}

// MARK: Indexing ahead of playback
extension PacketReader {
    /// Indexes downloaded packets after the last indexed one, up to `budget` bytes.
    /// - Returns: true if more can be indexed immediately.
    package func survey(budget: Int64) -> Bool {
        guard budget > 0, !isWholeIndexed, let frontier = index.frontier else { return false }
        // The other cursor may have passed this one.
        if surveyor == nil || surveyed != index.count {
            surveyor = PacketCursor(MPEGStreamParser(resumingAt: frontier), in: source)
        }
        defer { surveyed = index.count }
        // The budget counts the bytes read, because long sections may contain no packet.
        let start = surveyor?.readOffset ?? 0
        while surveyor?.readOffset ?? .max < start + budget {
            guard let step = surveyor?.step(window), let surveyor else { return false }
            switch step {
            case .event(.packet(let packet)): add(packet, from: surveyor)
            case .event, .progressed: continue
            case .ended:
                stream.end()
                return false
            case .notYetAvailable, .lost, .failed: return false
            }
        }
        return true
    }
}
