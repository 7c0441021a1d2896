// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// Bytes → packets of one item, and the index that grows as they pass. Confined to the playback thread.
final class PacketReader {
    enum Step: Equatable {
        case packet(MPEGPacket)
        /// Bytes were read or passed over; there is more to do.
        case worked
        /// The next byte has not arrived.
        case edge
        case ended
        case failed(MediaFailure)
    }

    /// Bytes searched for a first packet before the file is said to hold none.
    static let searchLimit: Int64 = 128 << 10
    private static let windowSize = 64 << 10

    let source: any ByteSource
    private(set) var index = FrameIndex()
    /// The packets up to the file's end are indexed.
    private(set) var isWholeIndexed = false
    /// The first packet's format and offset; `nil` before it was found.
    private(set) var first: MPEGPacket?
    private(set) var info: StreamInfo?
    private(set) var iTunes: ITunSMPB?

    private var parser = MPEGStreamParser()
    private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: windowSize, alignment: 16)

    init(source: any ByteSource) {
        self.source = source
    }

    deinit { window.deallocate() }

    /// Where the next byte is read.
    var readOffset: Int64 { parser.readOffset }

    func step() -> Step {
        while let event = parser.next() {
            switch event {
            case .packet(let packet):
                if first == nil { first = packet }
                index.append(packet)
                return .packet(packet)
            case .info(let found) where first == nil && info == nil: info = found
            case .gapless(let found) where iTunes == nil: iTunes = found
            case .info, .gapless, .tag, .garbage, .formatChanged: continue
            }
        }
        return parser.isDone ? end() : readOn()
    }

    func withBytes<R>(of packet: MPEGPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try parser.withBytes(of: packet, body)
    }

    /// Goes on from an indexed place.
    func resume(at point: SeekPoint) {
        parser = MPEGStreamParser(resumingAt: point)
    }

    private func readOn() -> Step {
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
        case .failed(let failure): return .failed(failure)
        }
    }

    private func end() -> Step {
        guard first != nil else { return .failed(MediaFailure(.badData, "no MP3 audio was found in it")) }
        isWholeIndexed = true
        return .ended
    }
}
