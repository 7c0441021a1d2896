// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
public import Media

/// A parser of AAC in ADTS: a stream of frames, each with a header. Source: ISO/IEC 13818-7 section 6.2; ISO/IEC
/// 14496-3 section 1.A.2.
///
/// One header may occur by chance, three consecutive ones at the right distances do not. The stream states neither its
/// length nor its encoder delay. Another configuration begins a track of its own, numbered from frame 0.
public struct ADTSParser: ContainerParser {
    enum Phase: Sendable, Equatable {
        /// No sync; the bytes from `since` to `position` are garbage.
        case searching(since: Int64)
        /// Expects a frame of this stream, a tag or the end at `position`.
        case synced(ADTSHeader.Stream)
        case done
    }

    private static let headersNeeded = 3
    /// The most bytes searched for a first frame before the file is rejected.
    static let searchLimit: Int64 = 2 << 20

    let foundConfig: AACConfig?
    public var totalLength: Int64?

    var window = ByteWindow()
    var phase = Phase.searching(since: 0)
    var position: Int64 = 0
    var pending: [ContainerEvent] = []
    /// The payloads of the pending packets, then that of the packet returned last.
    var payloads: [ByteRange] = []
    public internal(set) var point: ContainerPoint?
    var points: [ContainerPoint?] = []

    var track: AudioTrack?
    var stream: ADTSHeader.Stream?
    /// The first frame of the next packet; `nil` after a jump to an unknown place.
    var nextFrame: Int64? = 0
    /// The frame and the offset after the packets read from the start of the track on, and the offset of its start.
    var frontier: (frame: Int64, offset: Int64) = (0, 0)
    var trackStart: Int64 = 0
    var isWhole = false
    public internal(set) var endsInsidePacket = false
    public internal(set) var refusal: MediaFailure?
    var checkpoints = SeekCheckpoints()
    /// Packets that end at or before this frame are skipped.
    var skipFrame: Int64?

    /// - Parameter config: the configuration that `FAADDecoder.resolve` found. ADTS cannot signal SBR.
    public init(assuming config: AACConfig? = nil) { foundConfig = config }

    public var readOffset: Int64 { window.readOffset }
    public var readLimit: Int { window.readLimit }
    public var isDone: Bool { phase == .done && pending.isEmpty }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) { window.append(bytes) }
    public mutating func finish() { window.finish() }

    public mutating func next() -> ContainerEvent? {
        settle()
        guard !pending.isEmpty else { return nil }
        let event = pending.removeFirst()
        if case .packet = event {
            if payloads.count > 1 { payloads.removeFirst() }
            point = points.isEmpty ? nil : points.removeFirst()
        }
        return event
    }

    mutating func settle() {
        while pending.isEmpty, phase != .done {
            do throws(Interruption) {
                try step()
            } catch {
                guard case .missing(let range) = error else {
                    endReached()
                    continue
                }
                // A step reads ahead of `position`; the bytes up to there must follow each other.
                let needed = min(position, range.lowerBound)..<range.upperBound
                return window.want(needed, usefulUpTo: needed.upperBound + Self.longestRead, keepingFrom: position)
            }
        }
    }

    private static let longestRead: Int64 = 64 << 10

    public func withBytes<R>(of packet: AudioPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try window.withBytes(of: payloads.first ?? 0..<0, body)
    }

    private mutating func step() throws(Interruption) {
        switch phase {
        case .searching(let since): try search(since: since)
        case .synced(let stream): try readFrame(of: stream)
        case .done: break
        }
    }

    // MARK: Synchronization

    /// Reads the header at `offset`; `nil` if there is none, or the file ends before its last byte.
    func header(at offset: Int64) throws(Interruption) -> ADTSHeader? {
        if let end = window.fileEnd, offset + Int64(ADTSHeader.byteCount) > end { return nil }
        return ADTSHeader(try window.bytes(ADTSHeader.byteCount, at: offset))
    }

    /// Returns the header at `offset` if two more of its stream follow, or fewer and then the end of the file or a tag.
    func confirmedHeader(at offset: Int64) throws(Interruption) -> ADTSHeader? {
        guard let first = try header(at: offset) else { return nil }
        var place = offset + Int64(first.length)
        if let end = window.fileEnd, place > end { return nil }
        for _ in 1..<Self.headersNeeded {
            if try endsStream(at: place) { return stream == nil || stream == first.stream ? first : nil }
            guard let next = try header(at: place), next.stream == first.stream else { return nil }
            place += Int64(next.length)
        }
        return first
    }

    private func endsStream(at offset: Int64) throws(Interruption) -> Bool {
        if let end = window.fileEnd, offset + Int64(ADTSHeader.byteCount) > end { return true }
        return try tagLength(at: offset) != nil
    }

    /// Returns the length of the ID3v2 or ID3v1 tag at `offset`. Source: ID3v2.4 structure section 3.1.
    func tagLength(at offset: Int64) throws(Interruption) -> Int64? {
        let bytes = try window.available(offset..<offset + Int64(ID3Tag.headerLength))
        if bytes.starts(with: "TAG".utf8), window.fileEnd == offset + 128 { return 128 }
        return ID3v2Metadata.tagLength(header: Array(bytes)).map(Int64.init)
    }
}
