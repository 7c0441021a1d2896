// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A search for iTunes' trim comment in the frames of an ID3v2 tag; all other frames are skipped unread.
///
/// A tag with unsynchronization of the whole tag (2.2, 2.3) counts its sizes before the inserted zeros. The search
/// may then miss the next frame, which ends it. Source: ID3v2.4 structure §3.1, 3.2, 4; ID3v2.3 §3.1, 3.2; ID3v2.2
/// §3.1, 3.2.
struct ID3v2FrameWalker: Sendable {
    enum Step {
        /// The next step requires the bytes at `offset`.
        case undecided
        /// A frame was skipped: `offset` has moved.
        case moved
        case found(ITunSMPB)
        /// The search has ended.
        case ended
    }

    /// The whole tag.
    let range: ByteRange
    /// The file offset of the next frame.
    private(set) var offset: Int64
    private let version: UInt8
    /// True until the extended header is skipped, if there is one.
    private var isBeforeExtendedHeader: Bool
    /// The end of the search: the end of the tag or `farthest` bytes after its start.
    private let limit: Int64

    private static let farthest: Int64 = 256 << 10
    private static let longestComment = 1024

    /// - Parameter header: the tag's 10 bytes; the result is `nil` if they are not the header of a tag.
    init?(header: [UInt8], at start: Int64) {
        guard header.count == 10, header[3] != 0xFF, header[4] != 0xFF, let size = ID3v2Tag.synchsafe(header[6...])
        else { return nil }
        version = header[3]
        let hasFooter = version == 4 && header[5] & 0x10 != 0
        let bodyEnd = start + 10 + Int64(size)
        range = start..<bodyEnd + (hasFooter ? 10 : 0)
        offset = start + 10
        isBeforeExtendedHeader = version > 2 && header[5] & 0x40 != 0
        limit = (2...4).contains(version) ? min(bodyEnd, start + Self.farthest) : offset
    }

    mutating func step(in window: ByteWindow) -> Step {
        if isBeforeExtendedHeader { return skipExtendedHeader(in: window) }
        let headerLength = version == 2 ? 6 : 10
        guard offset + Int64(headerLength) <= limit else { return .ended }
        switch window.block(headerLength, at: offset) {
        case .undecided: return .undecided
        case .absent: return .ended
        case .found(let header):
            // A zero is padding: no frame follows.
            guard header[0] != 0, let size = frameSize(header) else { return .ended }
            return visit(header, body: offset + Int64(headerLength), size: size, in: window)
        }
    }

    private mutating func visit(_ header: [UInt8], body: Int64, size: Int, in window: ByteWindow) -> Step {
        guard body + Int64(size) <= limit else { return .ended }
        if size <= Self.longestComment, header.starts(with: version == 2 ? Array("COM".utf8) : Array("COMM".utf8)) {
            switch window.block(size, at: body) {
            case .undecided: return .undecided
            case .absent: return .ended
            case .found(let comment):
                if let facts = ITunSMPB(comment: comment) { return .found(facts) }
            }
        }
        offset = body + Int64(size)
        return .moved
    }

    private mutating func skipExtendedHeader(in window: ByteWindow) -> Step {
        switch window.block(4, at: offset) {
        case .undecided: return .undecided
        case .absent: return .ended
        case .found(let bytes):
            // 2.4 counts the four size bytes, 2.3 does not.
            guard let size = version == 4 ? ID3v2Tag.synchsafe(bytes[...]) : Self.bigEndian(bytes[...]) + 4,
                offset + Int64(max(4, size)) <= limit
            else { return .ended }
            isBeforeExtendedHeader = false
            offset += Int64(max(4, size))
            return .moved
        }
    }

    private func frameSize(_ header: [UInt8]) -> Int? {
        switch version {
        case 2: Self.bigEndian(header[3..<6])
        case 3: Self.bigEndian(header[4..<8])
        default: ID3v2Tag.synchsafe(header[4..<8])
        }
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
