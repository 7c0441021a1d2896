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
    /// The file offset of its first packet, and the number that packet is given.
    private var anchor: Anchor?
    /// What is to be added to its packet numbers to make them true; `nil` while that is not known.
    private(set) var correction: Int64?
    /// Of its packets, in their order.
    private(set) var hashes = PacketHashes()

    init(estimate: DurationEstimate) { self.estimate = estimate }

    /// Gives a packet of the island its number.
    /// - Parameter packet: numbered from the start of the island.
    mutating func number(_ packet: MPEGPacket) -> MPEGPacket {
        let anchor = anchor ?? Anchor(offset: packet.offset, number: estimate.packet(atByte: packet.offset) ?? 0)
        self.anchor = anchor
        return MPEGPacket(
            header: packet.header, offset: packet.offset, length: packet.length,
            number: anchor.number + packet.number)
    }

    mutating func append(hashOf bytes: UnsafeRawBufferPointer) { hashes.append(hashOf: bytes) }

    /// The number its first packet is given; `nil` before that was found.
    var firstNumber: Int64? { anchor?.number }

    /// The contiguous index has grown by `packet`, whose number is true.
    mutating func meet(_ packet: MPEGPacket) {
        guard correction == nil, let anchor, packet.offset >= anchor.offset else { return }
        correction = packet.number - anchor.number
    }
}
