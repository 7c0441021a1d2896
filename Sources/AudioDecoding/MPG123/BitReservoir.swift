// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio

/// How far back the main data of the next packet may begin: what libmpg123 holds of the packets it was given.
///
/// A packet that wants more, as the first ones of a pre-roll do, cannot be decoded. libmpg123 1.31 then makes silence
/// of it: it clears the side information and lets the synthesis filter run. But in MPEG-2 and 2.5 it clears one byte
/// too few; what stays there is taken for a length, mostly too long a one, and the packet is given up: zeros come out,
/// and the filter stands still. From then on the filter's ring is turned otherwise than in a linear decode, and its
/// sums round otherwise. So such a packet is silenced before libmpg123 sees it.
struct BitReservoir {
    /// Bytes held.
    private var fill = 0

    /// Takes the next packet into account.
    /// - Returns: what to decode in its place, with the same main data and without sound; `nil`: the packet itself.
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

    /// Side information of nothing but where main data begins: as far back as there is any, so that the packets behind
    /// find all of it.
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
