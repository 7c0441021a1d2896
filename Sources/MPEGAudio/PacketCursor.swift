// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Reads the packets of a source one after the other, from one place on.
public struct PacketCursor {
    public enum Step {
        case event(MPEGEvent)
        /// Bytes were read; there is more to do.
        case worked
        /// The next byte has not arrived.
        case edge
        case ended
        /// The next byte is not there, and will not come by itself.
        case lost(MediaFailure)
        /// There is nothing to be found.
        case failed(MediaFailure)
    }

    /// Bytes searched for a first packet before the file is said to hold none; tags do not count. A cover picture
    /// behind a tag that says too little of its length is shorter.
    public static let searchLimit: Int64 = 2 << 20

    private let source: any ByteSource
    private var parser: MPEGStreamParser
    /// A tag that was passed over before any packet was found: its length may be wrong.
    private var tag: ByteRange?
    private var hasLookedIntoTag = false

    public init(_ parser: MPEGStreamParser = MPEGStreamParser(), in source: any ByteSource) {
        self.source = source
        self.parser = parser
    }

    /// Where the next byte is read.
    public var readOffset: Int64 { parser.readOffset }

    /// - Parameter window: memory to read into; nothing of it is used after the call.
    public mutating func step(_ window: UnsafeMutableRawBufferPointer) -> Step {
        if let event = parser.next() {
            if case .tag(.id3v2, let range) = event, !parser.hasFoundAudio { tag = tag ?? range }
            return .event(event)
        }
        if parser.hasFoundAudio { return parser.isDone ? .ended : read(window) }
        guard !parser.isDone, parser.searchedBytes < Self.searchLimit else { return lookIntoTag() }
        return read(window)
    }

    private mutating func read(_ window: UnsafeMutableRawBufferPointer) -> Step {
        let offset = parser.readOffset
        switch source.read(at: offset, into: window) {
        case .data(let count):
            let bytes = UnsafeRawBufferPointer(rebasing: window[..<count])
            // A search in another format might find packets by chance.
            if offset == 0, !parser.hasFoundAudio, ForeignAudio.name(of: Array(bytes)) != nil { return noAudio }
            parser.append(bytes)
            return .worked
        case .end:
            parser.finish()
            return .worked
        case .edge: return .edge
        case .failed(let failure): return .lost(failure)
        }
    }

    /// Nothing was found behind a tag: the audio may begin before the place that the tag says.
    private mutating func lookIntoTag() -> Step {
        guard !hasLookedIntoTag, let tag else { return noAudio }
        hasLookedIntoTag = true
        parser = MPEGStreamParser(searchingFrom: tag.lowerBound + 10)
        return .worked
    }

    private var noAudio: Step {
        guard let name = source.foreignAudio else {
            return .failed(MediaFailure(.badData, "no MP3 audio was found in it"))
        }
        return .failed(MediaFailure(.badData, "this is \(name), which Earshot cannot play yet; it plays MP3"))
    }

    /// The bytes of the packet that `step` came to last, valid inside `body`.
    public func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try parser.withBytes(of: packet, body)
    }
}

extension PacketCursor {
    private static let windowSize = 64 << 10

    /// What a look at the beginning of a file comes to.
    public enum Finding {
        case packet(MPEGPacket)
        /// Further bytes decide.
        case undecided
        case none(MediaFailure)
    }

    /// Finds the first packet as playing does: what this refuses, playing refuses.
    public static func firstPacket(in source: any ByteSource) -> Finding {
        var cursor = PacketCursor(in: source)
        return withUnsafeTemporaryAllocation(byteCount: windowSize, alignment: 16) { window in
            while true {
                switch cursor.step(window) {
                case .event(.packet(let packet)): return .packet(packet)
                case .event, .worked: continue
                case .edge, .lost: return .undecided
                case .ended: return .none(MediaFailure(.badData, "no MP3 audio was found in it"))
                case .failed(let failure): return .none(failure)
                }
            }
        }
    }

    /// The format of the first packet; `nil` where there is none.
    public static func firstFormat(in source: any ByteSource) -> AudioFormat? {
        guard case .packet(let packet) = firstPacket(in: source) else { return nil }
        return AudioFormat(sampleRate: packet.header.sampleRate, channels: packet.header.channels)
    }
}

extension ByteSource {
    /// What it holds in place of MPEG audio, behind an ID3v2 tag too, as far as the first bytes tell.
    public var foreignAudio: String? {
        let head = head(at: 0)
        guard let length = ID3v2Metadata.tagLength(header: head) else { return ForeignAudio.name(of: head) }
        return ForeignAudio.name(of: self.head(at: Int64(length)))
    }

    private func head(at offset: Int64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: ForeignAudio.prefixLength) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            while count < buffer.count,
                case .data(let more) = read(at: offset + Int64(count), into: .init(rebasing: buffer[count...]))
            {
                count += more
            }
        }
    }
}
