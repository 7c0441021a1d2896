// SPDX-License-Identifier: GPL-3.0-or-later

/// A counter that determines the first correct packet of a parse that began in mid-stream. The packets before it lack
/// the bit reservoir or the sound that overlaps from the previous packet, and must be dropped.
///
/// The side information of a packet states how much of the reservoir it uses. This type waits for the maximum
/// instead.
public struct ReservoirFill: Sendable, Equatable {
    private var missingBytes: Int
    private var missingPackets: Int64

    /// - Parameter format: a header of the stream.
    public init(format: MPEGFrameHeader) {
        missingBytes = format.reservoirLimit
        missingPackets = format.overlappingPackets
    }

    /// Counts the next packet.
    /// - Returns: true if this packet and all later ones are decoded exactly as in a decode from the start.
    public mutating func completes(with packet: MPEGPacket) -> Bool {
        if missingBytes > 0 {
            missingBytes -= packet.header.reservoirGain(ofPacket: packet.length)
            return false
        }
        missingPackets -= 1
        return missingPackets < 0
    }

    /// Returns the number of packets to parse before a packet so that it is decoded correctly, if their lengths are
    /// about `packetLength` bytes or more.
    public static func packets(format: MPEGFrameHeader, packetLength: Int) -> Int64 {
        let gain = max(1, format.reservoirGain(ofPacket: packetLength))
        return Int64(format.reservoirLimit / gain) + format.overlappingPackets + margin
    }

    private static let margin: Int64 = 4
}
