// SPDX-License-Identifier: GPL-3.0-or-later

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
        var place = header.sideInfoOffset * 8
        func take(_ count: Int, skipping skipped: Int = 0) -> Int {
            defer { place += count + skipped }
            return (place..<place + count).reduce(0) { $0 << 1 | Int(frame[$1 / 8] >> (7 - $1 % 8) & 1) }
        }
        // Private bits, and the scale factor selection of MPEG-1.
        let skipped = isMPEG1 ? (channels == 1 ? 5 : 3) + 4 * channels : channels
        mainDataBegin = take(isMPEG1 ? 9 : 8, skipping: skipped)
        mainDataBits = (0..<(isMPEG1 ? 2 : 1) * channels).reduce(0) { sum, _ in
            sum + take(12, skipping: isMPEG1 ? 47 : 51)
        }
    }
}
