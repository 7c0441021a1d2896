// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A parser of FLAC files. A frame's own header numbers it, so that a packet's number is exact wherever the parser
/// starts. Source: RFC 9639.
///
/// Memory: one frame, a thinned-out seek table, a picture while it is read.
public struct FLACParser: ContainerParser {
    enum Phase: Sendable {
        /// The stream's marker, or a tag before it, is expected at `position`, or searched for since that offset.
        case start(since: Int64)
        /// The header of a metadata block is expected at `position`.
        case block
        case comments(end: Int64)
        case picture(end: Int64)
        case seekTable(end: Int64)
        /// The first frame is expected at `position`.
        case audioStart
        /// A frame is expected at `position`.
        case synced
        /// Searches for a frame since that offset; the bytes up to it are reported as garbage if they are damaged.
        case searching(since: Int64, isDamage: Bool)
        case done
    }

    public var totalLength: Int64?

    var window = ByteWindow()
    /// The offset before which all bytes are parsed.
    var position: Int64 = 0
    var phase = Phase.start(since: 0)
    /// The search for the end of the frame at `position`.
    var scan: FLACFrameScan?
    var budget = SearchBudget()
    /// The last tag before the first stream; empty if the stream is searched for inside it.
    var tag: Range<Int64>?

    var streams = ChainedStreams()
    var stream: FLACStream?
    var isLastBlock = false
    /// The number of blocks parsed.
    var blockCount = 0
    /// The content of the first block that was skipped unread: its length may be wrong.
    var skippedBlock: Int64?

    var jump: StreamJump?
    /// Frames that end at or before this one are not returned, after a seek.
    var wantedFrame: Int64?
    /// True until the first frame after a seek.
    var isAfterSeek = false
    var hasFailed = false
    public internal(set) var refusal: MediaFailure?

    private var events = EventQueue<ContainerEvent>()
    private var current: AudioPacket?

    /// Creates a parser that starts at byte 0.
    public init() {}

    /// Returns true if the first bytes of a file, or the first bytes after its ID3v2 tag, are those of FLAC.
    public static func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: "fLaC".utf8) }

    public var readOffset: Int64 { window.end }
    public var readLimit: Int {
        switch phase {
        // Little is read in vain if a block is skipped.
        case .start, .block, .audioStart: 4 << 10
        case .picture(let end), .comments(let end), .seekTable(let end):
            Int(min(64 << 10, max(0, end - window.end) + 4096))
        case .synced, .searching, .done: 64 << 10
        }
    }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        window.append(bytes, keepingFrom: position)
    }

    public mutating func finish() { window.finish() }

    public mutating func next() -> ContainerEvent? {
        current = nil
        while true {
            if let event = takeEvent() { return event }
            guard !isDone, case .moved = step() else { return nil }
        }
    }

    public var isDone: Bool {
        if case .done = phase { events.isEmpty } else { false }
    }

    public func withBytes<R>(of packet: AudioPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try window.withBytes(of: packet.offset..<packet.offset + Int64(packet.length), body)
    }

    public var point: ContainerPoint? {
        current.flatMap { packet in packet.frame.map { ContainerPoint(frame: $0, offset: packet.offset) } }
    }

    public var length: TrackLength {
        guard let stream else { return .unknown }
        if let frames = streams.frames(of: stream.ordinal) { return .exact(frames) }
        // The total of a stream whose beginning was cut off is that of the original.
        if let total = stream.info.frames, (stream.base ?? 0) == 0 { return .declared(total) }
        guard let start = stream.audioStart, let frames = stream.next else { return .unknown }
        return LengthEstimate.length(frames: frames, bytes: position - start, total: totalLength.map { $0 - start })
    }

    private mutating func takeEvent() -> ContainerEvent? {
        let event = events.popFirst()
        if case .packet(let packet)? = event { current = packet }
        return event
    }

    mutating func queue(_ event: ContainerEvent) { events.append(event) }

    /// Discards the packets that were not returned yet, and the reports of damage between them.
    mutating func discardPackets() {
        events.removeAll(where: \.belongsToPosition)
        current = nil
    }

    mutating func fail(_ failure: MediaFailure) {
        discardPackets()
        queue(.failed(failure))
        (phase, jump, hasFailed) = (.done, nil, true)
    }

    /// Continues at `offset`.
    mutating func move(to offset: Int64, _ phase: Phase) {
        window.move(to: offset)
        (position, self.phase, scan) = (offset, phase, nil)
    }

    private mutating func step() -> ParserStep {
        switch phase {
        case .start(let since): findMarker(since: since)
        case .block: readBlockHeader()
        case .comments(let end): readComments(to: end)
        case .picture(let end): readPicture(to: end)
        case .seekTable(let end): readSeekTable(to: end)
        case .audioStart: beginAudio()
        case .synced: findNextFrame()
        case .searching(let since, let isDamage): search(since: since, isDamage: isDamage)
        case .done: .needsBytes
        }
    }
}
