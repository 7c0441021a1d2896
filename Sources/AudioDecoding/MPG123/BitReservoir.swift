// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio

/// The number of bytes that libmpg123 still holds of earlier packets. The main data of the next packet may begin at
/// most that far back.
///
/// A packet that refers further back, as the first packets of a pre-roll do, cannot be decoded. libmpg123 1.31 then
/// decodes it as silence: it clears the side information and runs the synthesis filter. In MPEG-2 and 2.5, however,
/// it clears one byte too few. It interprets the remaining byte as a length, which is usually too long, and rejects
/// the packet: it returns zeros and does not advance the filter. From then on the phase of the filter differs from
/// that of a decode from the start, and its sums are rounded differently. Therefore this type silences such a packet
/// before libmpg123 reads it.
struct BitReservoir {
    /// The bytes held.
    private var fill = 0

    /// Updates the reservoir for the next packet.
    /// - Returns: the packet to decode instead, with the same main data and without sound; `nil` to decode the packet
    ///   itself.
    mutating func silence(for packet: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) -> [UInt8]? {
        guard header.layer == .iii, packet.count >= header.mainDataOffset else { return nil }
        defer { fill = min(fill + header.reservoirGain(ofPacket: packet.count), header.reservoirLimit) }
        return Self.mainDataBegin(packet, header) > fill ? silence(packet, header) : nil
    }

    private static func mainDataBegin(_ packet: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) -> Int {
        let place = header.sideInfoOffset
        guard header.version == .mpeg1 else { return Int(packet[place]) }
        return Int(packet[place]) << 1 | Int(packet[place + 1]) >> 7
    }

    /// Returns the packet with empty side information except for the start of its main data, which is set as far back
    /// as data exists, so that the next packets find all of their main data.
    private func silence(_ packet: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) -> [UInt8] {
        var bytes = Array(packet)
        let place = header.sideInfoOffset
        for byte in place..<header.mainDataOffset { bytes[byte] = 0 }
        if header.version == .mpeg1 {
            bytes[place] = UInt8(truncatingIfNeeded: fill >> 1)
            bytes[place + 1] = UInt8(truncatingIfNeeded: fill << 7)
        } else {
            bytes[place] = UInt8(truncatingIfNeeded: fill)
        }
        return bytes
    }
}
