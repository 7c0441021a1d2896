// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The header of an Ogg page. Source: RFC 3533 section 6.
struct OggPage: Sendable {
    /// The result of a look at a place where a page may begin.
    enum Finding {
        /// A whole page with the right checksum.
        case page(OggPage)
        /// The header of a page of this length in bytes, with a wrong checksum.
        case damaged(Int64)
        case absent
        /// The result depends on bytes that are not yet available.
        case undecided
    }

    /// A part of a packet: the bytes that one page has of it.
    struct Piece {
        let range: Range<Int64>
        /// True if the packet begins with this piece.
        let isBeginning: Bool
        /// True if the packet ends with this piece.
        let isEnding: Bool
    }

    /// The length of the longest page in bytes.
    static let longest: Int64 = 65307
    private static let fixedLength = 27

    let offset: Int64
    /// The offset of the first byte after the header.
    let payload: Int64
    /// The offset after the page.
    let end: Int64
    let serial: UInt32
    let sequence: UInt32
    /// The position of the end of the last packet that ends in the page, in the unit of the codec; negative before the
    /// start of a cut. `nil` if no packet ends in the page, or if the value is beyond any real file.
    let granule: Int64?
    /// The page continues a packet of the page before.
    let isContinued: Bool
    /// The page begins, or ends, a logical stream.
    let isFirst: Bool
    let isLast: Bool
    private let lacing: [UInt8]
    private let checksum: UInt32

    /// Examines the bytes at an offset.
    static func find(in window: ByteWindow, at offset: Int64) -> Finding {
        switch header(in: window, at: offset) {
        case .absent: return .absent
        case .undecided: return .undecided
        case .found(let page):
            guard window.holds(offset..<page.end) else {
                return window.isClosed ? .absent : .undecided
            }
            return page.hasRightChecksum(in: window) ? .page(page) : .damaged(page.end - offset)
        }
    }

    /// Finds the header of a page whose other bytes may be missing.
    static func header(in window: ByteWindow, at offset: Int64) -> Lookup<OggPage> {
        // The only defined version is 0.
        let fixed = window.name("OggS\0", at: offset).flatMap { _ in window.block(fixedLength, at: offset) }
        let whole = fixed.flatMap { fixed -> Lookup<ArraySlice<UInt8>> in
            guard fixed[fixed.startIndex + 5] & 0xF8 == 0 else { return .absent }
            return window.block(fixedLength + Int(fixed[fixed.startIndex + 26]), at: offset)
        }
        return whole.compactMap { OggPage($0, at: offset) }
    }

    private init(_ header: ArraySlice<UInt8>, at offset: Int64) {
        let start = header.startIndex
        let flags = header[start + 5]
        lacing = Array(header[(start + Self.fixedLength)...])
        self.offset = offset
        payload = offset + Int64(header.count)
        end = payload + lacing.reduce(0) { $0 + Int64($1) }
        isContinued = flags & 1 != 0
        isFirst = flags & 2 != 0
        isLast = flags & 4 != 0
        let position = Int64(bitPattern: header[start + 6..<start + 14].number(.littleEndian))
        granule = position != -1 && position.magnitude <= 1 << 52 ? position : nil
        serial = UInt32(truncatingIfNeeded: header[start + 14..<start + 18].number(.littleEndian))
        sequence = UInt32(truncatingIfNeeded: header[start + 18..<start + 22].number(.littleEndian))
        checksum = UInt32(truncatingIfNeeded: header[start + 22..<start + 26].number(.littleEndian))
    }

    /// The packets' pieces in the page.
    var pieces: [Piece] {
        var pieces: [Piece] = []
        var (start, end, isBeginning) = (payload, payload, !isContinued)
        for (number, value) in lacing.enumerated() {
            end += Int64(value)
            guard value < 255 || number == lacing.count - 1 else { continue }
            pieces.append(Piece(range: start..<end, isBeginning: isBeginning, isEnding: value < 255))
            (start, isBeginning) = (end, true)
        }
        return pieces
    }

    /// Calculates the checksum with zeros in its own place.
    private func hasRightChecksum(in window: ByteWindow) -> Bool {
        window.withBytes(of: offset..<end) { bytes in
            let front = OggChecksum.extended(0, by: UnsafeRawBufferPointer(rebasing: bytes[..<22]))
            let middle = withUnsafeBytes(of: 0 as UInt32) { OggChecksum.extended(front, by: $0) }
            return OggChecksum.extended(middle, by: UnsafeRawBufferPointer(rebasing: bytes[26...])) == checksum
        }
    }
}
