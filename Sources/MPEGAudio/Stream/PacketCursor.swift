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
            let bytes = UnsafeRawBufferPointer(rebasing: window[..<count])
            // A search in another format might find packets by chance.
            if offset == 0, !parser.hasFoundAudio, UnsupportedAudio.name(of: Array(bytes)) != nil { return noAudio }
            parser.append(bytes)
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
        guard !hasSearchedTag, let tag else { return noAudio }
        hasSearchedTag = true
        parser = MPEGStreamParser(searchingFrom: tag.lowerBound + 10)
        return .progressed
    }

    private var noAudio: Step {
        guard let name = source.foreignAudio else {
            return .failed(MediaFailure(.badData, "no MP3 audio found; Earshot plays only MP3 so far"))
        }
        return .failed(MediaFailure(.badData, "this is \(name); Earshot plays only MP3 so far"))
    }

    /// Calls `body` with the bytes of the packet that `step` returned last, valid inside `body`.
    public func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try parser.withBytes(of: packet, body)
    }
}

extension PacketCursor {
    private static let windowSize = 64 << 10

    /// The result of the search for the first packet.
    public enum ProbeResult {
        case packet(MPEGPacket)
        /// The result depends on bytes that are not yet available.
        case undecided
        case none(MediaFailure)
    }

    /// Finds the first packet with the rules of playback: playback rejects the same sources.
    public static func firstPacket(in source: any ByteSource) -> ProbeResult {
        var cursor = PacketCursor(in: source)
        return withUnsafeTemporaryAllocation(byteCount: windowSize, alignment: 16) { window in
            while true {
                switch cursor.step(window) {
                case .event(.packet(let packet)): return .packet(packet)
                case .event, .progressed: continue
                case .notYetAvailable, .lost: return .undecided
                case .ended: return .none(MediaFailure(.badData, "no MP3 audio found; Earshot plays only MP3 so far"))
                case .failed(let failure): return .none(failure)
                }
            }
        }
    }

    /// Returns the format of the first packet; `nil` if no packet was found.
    public static func firstFormat(in source: any ByteSource) -> AudioFormat? {
        guard case .packet(let packet) = firstPacket(in: source) else { return nil }
        return AudioFormat(sampleRate: packet.header.sampleRate, channels: packet.header.channels)
    }
}

extension ByteSource {
    /// The name of the format that the source contains instead of MPEG audio, as far as its first bytes show; looks
    /// after an ID3v2 tag too.
    public var foreignAudio: String? {
        let head = head(at: 0)
        guard let length = ID3v2Metadata.tagLength(header: head) else { return UnsupportedAudio.name(of: head) }
        return UnsupportedAudio.name(of: self.head(at: Int64(length)))
    }

    private func head(at offset: Int64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: UnsupportedAudio.prefixLength) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            while count < buffer.count,
                case .data(let more) = read(at: offset + Int64(count), into: .init(rebasing: buffer[count...]))
            {
                count += more
            }
        }
    }
}
