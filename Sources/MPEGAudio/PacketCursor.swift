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

    /// Bytes searched for a first packet before the file is said to hold none.
    public static let searchLimit: Int64 = 128 << 10

    private let source: any ByteSource
    private var parser: MPEGStreamParser

    public init(_ parser: MPEGStreamParser = MPEGStreamParser(), in source: any ByteSource) {
        self.source = source
        self.parser = parser
    }

    /// Where the next byte is read.
    public var readOffset: Int64 { parser.readOffset }

    /// - Parameter window: memory to read into; nothing of it is used after the call.
    public mutating func step(_ window: UnsafeMutableRawBufferPointer) -> Step {
        if let event = parser.next() { return .event(event) }
        if parser.isDone { return .ended }
        guard parser.hasFoundAudio || parser.searchedBytes < Self.searchLimit else {
            return .failed(MediaFailure(.badData, "no MP3 audio was found in it"))
        }
        switch source.read(at: parser.readOffset, into: window) {
        case .data(let count):
            parser.append(UnsafeRawBufferPointer(rebasing: window[..<count]))
            return .worked
        case .end:
            parser.finish()
            return .worked
        case .edge: return .edge
        case .failed(let failure): return .lost(failure)
        }
    }

    /// The bytes of the packet that `step` came to last, valid inside `body`.
    public func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try parser.withBytes(of: packet, body)
    }
}
