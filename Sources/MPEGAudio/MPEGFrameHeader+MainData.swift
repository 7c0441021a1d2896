// SPDX-License-Identifier: GPL-3.0-or-later

/// Where Layer III keeps its main data: behind header, check word and side information, and, as far as there was room,
/// in the packets before, the bit reservoir.
extension MPEGFrameHeader {
    /// Bytes in front of the side information.
    public var sideInfoOffset: Int { hasCRC ? 6 : 4 }

    /// Bytes in front of the packet's own part of the bit reservoir.
    public var mainDataOffset: Int { sideInfoOffset + sideInfoLength }

    /// How many bytes back main data may begin: `main_data_begin` has 9 bits in MPEG-1, 8 in MPEG-2 and 2.5.
    ///
    /// Source: ISO/IEC 11172-3 §2.4.1.7, 13818-3 §2.4.1.7.
    public var reservoirLimit: Int {
        guard layer == .iii else { return 0 }
        return version == .mpeg1 ? 511 : 255
    }

    /// Bytes by which a packet fills the bit reservoir, as libmpg123 1.31 counts: it takes the check word off twice.
    /// - Parameter length: the packet's, header included.
    public func reservoirGain(ofPacket length: Int) -> Int {
        max(0, length - mainDataOffset - (hasCRC ? 2 : 0))
    }
}
