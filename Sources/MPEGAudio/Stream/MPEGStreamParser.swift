// SPDX-License-Identifier: GPL-3.0-or-later

/// An incremental parser that splits an MPEG audio stream into packets, tags and garbage while its bytes still
/// arrive.
///
/// The events depend only on the bytes, not on their division into blocks. Call `next()` until it returns `nil`.
/// Then, unless `isDone`, read bytes at `readOffset` and `append` them, or call `finish` at the end of the file.
///
/// ```
/// searching ──three headers──▶ synced ──header differs──▶ three of another format ▶ synced
///     │                        │  ▲                    └──────▶ otherwise: searching
///     └───── start of a tag ───┤  │
///                              ▼  │ end of the tag (if no audio was found before it: searching)
///                 insideID3v2, insideLyrics
/// ```
/// Memory: the appended bytes that are not parsed yet, and the look-ahead of three packets.
public struct MPEGStreamParser: Sendable {
    enum Phase: Sendable {
        /// No sync; the bytes from `since` to `position` are garbage.
        case searching(since: Int64)
        /// A packet of `known`, a tag or the end is expected at `position`.
        case synced(StreamFormat)
        case insideID3v2(ID3v2FrameWalker)
        /// Searches for the end of a Lyrics3 tag that began at `since`.
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
    /// The file offset before which all bytes are parsed.
    var position: Int64
    /// The format of the last packet, or of the sync just found.
    var known: StreamFormat?
    /// Events found together with the one returned last.
    var pending: [MPEGEvent] = []
    var nextNumber: Int64 = 0
    /// The number of garbage bytes in earlier searches since sync was lost.
    var searchedBefore: Int64 = 0
    /// The packet returned last, whose bytes are kept.
    private var current: Int64?

    /// Creates a parser that starts at byte 0.
    public init() {
        window = ByteWindow(start: 0)
        phase = .searching(since: 0)
        position = 0
    }

    /// Resumes at a point of a `FrameIndex`, and returns the same packets as a parse from byte 0.
    public init(resumingAt point: SeekPoint) {
        position = min(max(0, point.offset), .max / 2)
        window = ByteWindow(start: position)
        nextNumber = max(0, point.packetNumber)
        let format = StreamFormat(header: point.format, freeFormatLength: point.freeFormatLength)
        known = format
        let isMeasured = point.format.bitrate != nil || point.freeFormatLength != nil
        phase = isMeasured ? .synced(format) : .searching(since: position)
    }

    /// Starts anywhere in a stream whose packets are like `format`: searches for the next packet and numbers it 0.
    public init(searchingFrom offset: Int64, for format: MPEGFrameHeader) {
        position = min(max(0, offset), .max / 2)
        window = ByteWindow(start: position)
        known = StreamFormat(header: format, freeFormatLength: nil)
        phase = .searching(since: position)
    }

    /// Starts at `offset` without knowledge of the bytes before it.
    init(searchingFrom offset: Int64) {
        position = min(max(0, offset), .max / 2)
        window = ByteWindow(start: position)
        phase = .searching(since: position)
    }

    /// Appends bytes that begin at `readOffset`.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !window.isClosed else { return }
        window.append(bytes, keepingFrom: min(position, current ?? position))
    }

    /// Marks the end of the file: no more bytes follow.
    public mutating func finish() { window.close() }

    /// Returns the next event; `nil` if more bytes are needed or the stream has ended.
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

    /// Calls `body` with the bytes of the packet that `next()` returned last, valid inside `body`.
    /// - Precondition: `next()` has not been called since.
    public func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try window.withBytes(packet.length, at: packet.offset, body)
    }

    /// The file offset of the next byte to append. It may jump forward over a tag, but never back: read this property
    /// before each read.
    public var readOffset: Int64 { window.end }

    /// True if all events up to the end have been returned.
    public var isDone: Bool {
        if case .done = phase { pending.isEmpty } else { false }
    }

    /// True if sync was ever found.
    public var hasFoundAudio: Bool { known != nil }

    /// The number of bytes searched without success since sync was lost, without tags.
    public var searchedBytes: Int64 {
        if case .searching(let since) = phase { searchedBefore + position - since } else { searchedBefore }
    }

    private mutating func step() -> Step {
        switch phase {
        case .searching(let since): search(since: since)
        case .synced(let format): parsePacket(of: format)
        case .insideID3v2(let walker): walk(walker)
        case .insideLyrics(let since): seekLyricsEnd(since: since)
        case .done: .needsBytes
        }
    }
}
