// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The fields of the side information of a Layer III frame that locate its main data.
///
/// Source: ISO/IEC 11172-3 §2.4.1.7, 13818-3 §2.4.1.7.
struct LayerIIISideInfo: Equatable {
    /// The number of bytes by which the main data begins before the frame's own part of the bit reservoir.
    let mainDataBegin: Int
    /// The length of the main data in bits.
    let mainDataBits: Int

    /// - Parameter frame: the bytes of the frame, from its header on.
    /// - Returns: `nil` for another layer, and if the frame is too short.
    init?(_ frame: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) {
        guard header.layer == .iii, frame.count >= header.mainDataOffset else { return nil }
        let (isMPEG1, channels) = (header.version == .mpeg1, header.channels)
        // Rebased: a slice would be copied byte by byte.
        var bits = BitReader(UnsafeRawBufferPointer(rebasing: frame[header.sideInfoOffset..<header.mainDataOffset]))
        mainDataBegin = bits.read(isMPEG1 ? 9 : 8)
        // Private bits, and the scale factor selection of MPEG-1.
        bits.skip(isMPEG1 ? (channels == 1 ? 5 : 3) + 4 * channels : channels)
        var length = 0
        for _ in 0..<(isMPEG1 ? 2 : 1) * channels {
            length += bits.read(12)
            bits.skip(isMPEG1 ? 47 : 51)
        }
        mainDataBits = length
    }
}
