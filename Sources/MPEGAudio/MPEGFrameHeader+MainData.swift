// SPDX-License-Identifier: GPL-3.0-or-later

/// The location of Layer III main data: after header, check word and side information, and in the unused space of the
/// preceding packets, the bit reservoir.
extension MPEGFrameHeader {
    /// The number of bytes before the side information.
    public var sideInfoOffset: Int { hasCRC ? 6 : 4 }

    /// The number of bytes before the packet's own part of the bit reservoir.
    public var mainDataOffset: Int { sideInfoOffset + sideInfoLength }

    /// The maximum number of bytes by which main data may begin before the packet: `main_data_begin` has 9 bits in
    /// MPEG-1, 8 in MPEG-2 and 2.5.
    ///
    /// Source: ISO/IEC 11172-3 §2.4.1.7, 13818-3 §2.4.1.7.
    public var reservoirLimit: Int {
        guard layer == .iii else { return 0 }
        return version == .mpeg1 ? 511 : 255
    }

    /// Returns the number of bytes that a packet adds to the bit reservoir. Counts as libmpg123 1.31 does, which
    /// subtracts the check word twice.
    /// - Parameter length: the packet's length, including the header.
    public func reservoirGain(ofPacket length: Int) -> Int {
        max(0, length - mainDataOffset - (hasCRC ? 2 : 0))
    }
}
