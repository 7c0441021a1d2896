// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio

/// A part of the stream that is read before what lies in front of it has arrived: how many packets came before can only
/// be estimated.
///
/// The estimate is kept while the island is played, so that the sound never jumps; when the contiguous index reaches
/// it, the correction is known.
struct Island {
    private struct Anchor {
        let offset: Int64
        let number: Int64
    }

    private let estimate: DurationEstimate
    /// The formats on its way, as far as they are known: the estimated ones in front of it, and its own.
    private(set) var runs: FormatRuns
    /// The file offset of its first packet, and the number that packet is given.
    private var anchor: Anchor?
    /// What is to be added to its times to make them true; `nil` while that is not known.
    private(set) var correction: Duration?
    /// Of its packets, in their order.
    private(set) var hashes = PacketHashes()

    /// - Parameter runs: those of the packets indexed.
    init(estimate: DurationEstimate, runs: FormatRuns) { (self.estimate, self.runs) = (estimate, runs) }

    /// Gives a packet of the island its number.
    /// - Parameter packet: numbered from the start of the island.
    mutating func number(_ packet: MPEGPacket) -> MPEGPacket {
        let anchor = anchor ?? begin(with: packet)
        let number = anchor.number + packet.number
        runs.append(packet.header, ofPacket: number)
        return MPEGPacket(header: packet.header, offset: packet.offset, length: packet.length, number: number)
    }

    private mutating func begin(with packet: MPEGPacket) -> Anchor {
        let anchor = Anchor(offset: packet.offset, number: estimate.packet(atByte: packet.offset) ?? 0)
        runs = runs.cut(at: anchor.number, continuedBy: packet.header)
        self.anchor = anchor
        return anchor
    }

    mutating func append(hashOf bytes: UnsafeRawBufferPointer) { hashes.append(hashOf: bytes) }

    /// The number its first packet is given; `nil` before that was found.
    var firstNumber: Int64? { anchor?.number }

    /// The contiguous index has grown by `packet`, whose number is true.
    /// - Parameter indexed: its runs.
    mutating func meet(_ packet: MPEGPacket, _ indexed: FormatRuns) {
        guard correction == nil, let anchor, packet.offset >= anchor.offset else { return }
        correction = indexed.time(ofDecoded: indexed.decodedFrame(ofPacket: packet.number))
            - runs.time(ofDecoded: runs.decodedFrame(ofPacket: anchor.number))
    }
}
