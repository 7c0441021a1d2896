// SPDX-License-Identifier: GPL-3.0-or-later

/// Takes an MPEG audio stream apart into packets, tags and garbage while its bytes still arrive.
///
/// The events depend on the bytes alone, never on how they were cut into pieces. Drive it so: take `next()` until it is
/// `nil`; unless `isDone`, read bytes at `readOffset` and `append` them, or `finish` when there are none.
///
/// ```
/// searching ──three headers──▶ synced ──header differs──▶ three of another format ▶ synced
///     │                        │  ▲                    └──────▶ no: searching
///     └───── a tag's name ─────┤  │
///                              ▼  │ ended (where no audio was found before: searching)
///                 insideID3v2, insideLyrics
/// ```
/// Memory: what was appended and not yet parsed, and the look-ahead of three packets.
public struct MPEGStreamParser: Sendable {
    enum Phase: Sendable {
        /// No sync; everything from `since` to `position` belongs to nothing.
        case searching(since: Int64)
        /// A packet of `known`, a tag or the end is expected at `position`.
        case synced(StreamFormat)
        case insideID3v2(ID3v2FrameWalker)
        /// Looking for the end of a Lyrics3 tag that began at `since`.
        case insideLyrics(since: Int64)
        case done
    }

    enum Step {
        case event(MPEGEvent)
        case moved
        case needsBytes
    }

    var window: ByteWindow
    var phase: Phase
    /// The file offset up to which everything is decided.
    var position: Int64
    /// The format of the last packet, or of the sync just found.
    var known: StreamFormat?
    /// Events decided at once with the one returned last.
    var pending: [MPEGEvent] = []
    var nextNumber: Int64 = 0
    /// Garbage of earlier runs since sync was last held.
    var searchedBefore: Int64 = 0
    /// The packet returned last, whose bytes are kept.
    private var current: Int64?

    /// Starts at byte 0.
    public init() {
        window = ByteWindow(start: 0)
        phase = .searching(since: 0)
        position = 0
    }

    /// Resumes at a known packet boundary and gives the same packets as a parse from byte 0. In free format the length
    /// of a packet is measured anew; `init(resumingAt:)` with a `SeekPoint` need not.
    public init(resumingAt offset: Int64, packetNumber: Int64, format: MPEGFrameHeader) {
        self.init(
            resumingAt: SeekPoint(offset: offset, packetNumber: packetNumber, format: format))
    }

    /// Resumes where a `FrameIndex` says.
    public init(resumingAt point: SeekPoint) {
        position = min(max(0, point.offset), .max / 2)
        window = ByteWindow(start: position)
        nextNumber = max(0, point.packetNumber)
        let format = StreamFormat(header: point.format, freeFormatLength: point.freeFormatLength)
        known = format
        let isMeasured = point.format.bitrate != nil || point.freeFormatLength != nil
        phase = isMeasured ? .synced(format) : .searching(since: position)
    }

    /// Starts anywhere in a stream whose packets are like `format`: searches for the next one, and numbers it 0.
    public init(searchingFrom offset: Int64, for format: MPEGFrameHeader) {
        position = min(max(0, offset), .max / 2)
        window = ByteWindow(start: position)
        known = StreamFormat(header: format, freeFormatLength: nil)
        phase = .searching(since: position)
    }

    /// Starts at `offset`, whatever lies in front of it.
    init(searchingFrom offset: Int64) {
        position = min(max(0, offset), .max / 2)
        window = ByteWindow(start: position)
        phase = .searching(since: position)
    }

    /// Takes bytes from `readOffset` on.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !window.isClosed else { return }
        window.append(bytes, keepingFrom: min(position, current ?? position))
    }

    /// Says that no byte will follow.
    public mutating func finish() { window.close() }

    /// The next thing found; `nil`: more bytes are needed, or all is done.
    public mutating func next() -> MPEGEvent? {
        current = nil
        if !pending.isEmpty { return pending.removeFirst() }
        while true {
            switch step() {
            case .moved: continue
            case .needsBytes: return nil
            case .event(let event):
                if case .packet(let packet) = event { current = packet.offset }
                return event
            }
        }
    }

    /// The bytes of the packet most recently returned by `next()`, valid inside `body`.
    /// - Precondition: `next()` has not been called since.
    public func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try window.withBytes(packet.length, at: packet.offset, body)
    }

    /// The file offset at which the next appended byte lies. It may jump forward over a tag, never back: read it
    /// again before each read.
    public var readOffset: Int64 { window.end }

    /// Whether everything up to the end has been returned.
    public var isDone: Bool {
        if case .done = phase { pending.isEmpty } else { false }
    }

    /// Whether sync was ever found.
    public var hasFoundAudio: Bool { known != nil }

    /// Bytes searched in vain since sync was last held, tags not counted.
    public var searchedBytes: Int64 {
        if case .searching(let since) = phase { searchedBefore + position - since } else { searchedBefore }
    }

    private mutating func step() -> Step {
        switch phase {
        case .searching(let since): search(since: since)
        case .synced(let format): takePacket(of: format)
        case .insideID3v2(let walker): walk(walker)
        case .insideLyrics(let since): seekLyricsEnd(since: since)
        case .done: .needsBytes
        }
    }
}
