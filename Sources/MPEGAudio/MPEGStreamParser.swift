// SPDX-License-Identifier: GPL-3.0-or-later

/// Takes an MPEG audio stream apart into packets, tags and garbage while its bytes still arrive.
///
/// The events depend on the bytes alone, never on how they were cut into pieces. Drive it so: take `next()` until it is
/// `nil`; unless `isDone`, read bytes at `readOffset` and `append` them, or `finish` when there are none.
public struct MPEGStreamParser: Sendable {
    /// Starts at byte 0.
    public init() {}

    /// Resumes at a known packet boundary and gives the same packets as a parse from byte 0.
    public init(resumingAt offset: Int64, packetNumber: Int64, format: MPEGFrameHeader) {}

    /// Resumes where a `FrameIndex` says.
    public init(resumingAt point: SeekPoint) {}

    /// Takes bytes from `readOffset` on.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {}

    /// Says that no byte will follow.
    public mutating func finish() {}

    /// The next thing found; `nil`: more bytes are needed, or all is done.
    public mutating func next() -> MPEGEvent? { nil }

    /// The bytes of the packet most recently returned by `next()`, valid inside `body`.
    public func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The file offset at which the next appended byte lies. It may jump forward over a tag, never back: read it
    /// again before each read.
    public var readOffset: Int64 { 0 }
    /// Whether everything up to the end has been returned.
    public var isDone: Bool { false }
    /// Whether sync was ever found.
    public var hasFoundAudio: Bool { false }
    /// Bytes searched in vain since sync was last held, tags not counted.
    public var searchedBytes: Int64 { 0 }
}
