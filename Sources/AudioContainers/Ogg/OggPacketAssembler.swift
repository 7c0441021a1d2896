// SPDX-License-Identifier: GPL-3.0-or-later

/// A packet of an Ogg stream.
struct OggPacket: Sendable {
    enum Payload: Sendable {
        /// The packet is inside one page, in the window.
        case buffered(Range<Int64>)
        /// The packet was collected from several pages.
        case assembled([UInt8])

        var count: Int {
            switch self {
            case .buffered(let range): range.count
            case .assembled(let bytes): bytes.count
            }
        }

        func withBytes<R>(
            in window: ByteWindow, _ body: (UnsafeRawBufferPointer) throws -> R
        ) rethrows -> R {
            switch self {
            case .buffered(let range): try window.withBytes(of: range, body)
            case .assembled(let bytes): try bytes.withUnsafeBytes(body)
            }
        }
    }

    /// The place of a packet: the offset of the page in which it begins, and its number among those that begin there.
    struct Place: Sendable, Equatable {
        let offset: Int64
        let index: Int64
    }

    let place: Place
    let payload: Payload
    /// The bytes that the page in which it ends has of it.
    let lastPiece: Range<Int64>
}

/// Joins the pieces of packets that continue over several pages. Source: RFC 3533 section 5.
struct OggPacketAssembler: Sendable {
    private struct Partial: Sendable {
        let place: OggPacket.Place
        var bytes: [UInt8]
    }

    /// The length of the longest accepted packet in bytes. A longer one is dropped.
    private static let longest = 4 << 20

    private var partial: Partial?
    /// The sequence number of the last page.
    private var sequence: UInt32?

    /// Discards the partial packet.
    mutating func reset() { (partial, sequence) = (nil, nil) }

    /// Returns true if the page directly follows the last one.
    func expects(_ page: OggPage) -> Bool { sequence.map { $0 &+ 1 == page.sequence } ?? false }

    /// Records the page, of whose pieces `packets` may be asked.
    /// - Returns: true if a page before it is missing; the partial packet is discarded then.
    mutating func begin(_ page: OggPage) -> Bool {
        defer { sequence = page.sequence }
        let isHole = sequence != nil && !expects(page)
        if isHole || !page.isContinued { partial = nil }
        return isHole
    }

    /// Returns the packets that end in the page.
    /// - Parameters:
    ///   - first: The number of the first piece to use.
    ///   - end: The end of the page's bytes, of which the last ones may be missing.
    mutating func packets(
        of page: OggPage, from first: Int = 0, end: Int64, in window: ByteWindow
    ) -> [OggPacket] {
        var packets: [OggPacket] = []
        var index: Int64 = 0
        for (number, piece) in page.pieces.enumerated() where piece.range.upperBound <= end {
            let place = OggPacket.Place(offset: page.offset, index: index)
            if piece.isBeginning { index += 1 }
            guard number >= first else { continue }
            if piece.isBeginning, piece.isEnding {
                packets.append(OggPacket(place: place, payload: .buffered(piece.range), lastPiece: piece.range))
            } else if let packet = add(piece, place, in: window) {
                packets.append(packet)
            }
        }
        return packets
    }

    private mutating func add(
        _ piece: OggPage.Piece, _ place: OggPacket.Place, in window: ByteWindow
    ) -> OggPacket? {
        if piece.isBeginning { partial = Partial(place: place, bytes: []) }
        guard let place = partial?.place, (partial?.bytes.count ?? 0) + piece.range.count <= Self.longest else {
            partial = nil
            return nil
        }
        window.withBytes(of: piece.range) { partial?.bytes.append(contentsOf: $0) }
        guard piece.isEnding, let whole = partial else { return nil }
        partial = nil
        return OggPacket(place: place, payload: .assembled(whole.bytes), lastPiece: piece.range)
    }
}
