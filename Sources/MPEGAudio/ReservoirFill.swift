// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells when the packets of a parse that began in mid-stream come out right: what is decoded before lacks the bit
/// reservoir, or the sound that overlaps from the packet before, and has to be dropped.
///
/// How much of the reservoir a packet uses is in its side information; here the most it can use is waited for.
public struct ReservoirFill: Sendable, Equatable {
    private var missingBytes: Int
    private var missingPackets: Int64

    /// - Parameter format: a header of the stream.
    public init(format: MPEGFrameHeader) {
        missingBytes = format.reservoirLimit
        missingPackets = format.overlappingPackets
    }

    /// Takes the next packet.
    /// - Returns: whether it comes out as in a linear decode, and so do all after it.
    public mutating func completes(with packet: MPEGPacket) -> Bool {
        if missingBytes > 0 {
            missingBytes -= packet.header.reservoirGain(ofPacket: packet.length)
            return false
        }
        missingPackets -= 1
        return missingPackets < 0
    }

    /// Packets to parse before the one wanted so that it comes out right, where they take `packetLength` bytes or not
    /// much less.
    public static func packets(format: MPEGFrameHeader, packetLength: Int) -> Int64 {
        let gain = max(1, format.reservoirGain(ofPacket: packetLength))
        return Int64(format.reservoirLimit / gain) + format.overlappingPackets + margin
    }

    private static let margin: Int64 = 4
}
