// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reader of consecutive packets of a source from one position on.
public struct PacketCursor {
    /// The result of one step.
    public enum Step {
        case event(MPEGEvent)
        /// Bytes were read; call `step` again.
        case progressed
        /// The next byte is not yet available.
        case notYetAvailable
        case ended
        /// The source failed; the next byte does not arrive without a new request.
        case lost(MediaFailure)
        /// The source contains no MP3 audio.
        case failed(MediaFailure)
    }

    /// The maximum number of bytes searched for a first packet before the file is rejected; tags do not count. The
    /// limit exceeds the size of a cover picture after a tag that declares too small a length.
    public static let searchLimit: Int64 = 2 << 20

    private let source: any ByteSource
    private var parser: MPEGStreamParser
    /// A tag that was skipped before the first packet; its length may be wrong.
    private var tag: ByteRange?
    private var hasSearchedTag = false

    /// Creates a cursor that reads `source` from the parser's position on.
    public init(_ parser: MPEGStreamParser = MPEGStreamParser(), in source: any ByteSource) {
        self.source = source
        self.parser = parser
    }

    /// The offset of the next read.
    public var readOffset: Int64 { parser.readOffset }

    /// Returns the next event, or reads more bytes.
    /// - Parameter window: memory to read into; the cursor does not use it after the call.
    public mutating func step(_ window: UnsafeMutableRawBufferPointer) -> Step {
        if let event = parser.next() {
            if case .tag(.id3v2, let range) = event, !parser.hasFoundAudio { tag = tag ?? range }
            return .event(event)
        }
        if parser.hasFoundAudio { return parser.isDone ? .ended : read(window) }
        guard !parser.isDone, parser.searchedBytes < Self.searchLimit else { return searchTag() }
        return read(window)
    }

    private mutating func read(_ window: UnsafeMutableRawBufferPointer) -> Step {
        let offset = parser.readOffset
        switch source.read(at: offset, into: window) {
        case .data(let count):
            parser.append(UnsafeRawBufferPointer(rebasing: window[..<count]))
            return .progressed
        case .end:
            parser.finish()
            return .progressed
        case .notYetAvailable: return .notYetAvailable
        case .failed(let failure): return .lost(failure)
        }
    }

    /// Searches inside the tag if no audio was found after it: the tag's declared length may be too large.
    private mutating func searchTag() -> Step {
        guard !hasSearchedTag, let tag else { return .failed(MediaFailure(.badData, "no audio found")) }
        hasSearchedTag = true
        parser = MPEGStreamParser(searchingFrom: tag.lowerBound + 10)
        return .progressed
    }

    /// Calls `body` with the bytes of the packet that `step` returned last, valid inside `body`.
    public func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try parser.withBytes(of: packet, body)
    }
}
