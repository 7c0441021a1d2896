// SPDX-License-Identifier: GPL-3.0-or-later

/// The common properties of the packets of one stream.
struct StreamFormat: Sendable, Equatable {
    /// The header of the packet at which sync was found.
    let header: MPEGFrameHeader
    /// The length of an unpadded packet in free format, in bytes; `nil` if the headers contain the bit rate.
    let freeFormatLength: Int?

    /// The longest accepted free-format packet: 640 kbit/s, the maximum of LAME, at 8 kHz in Layer III.
    static let longestFreeFormat = 5760

    /// Returns true if `other` continues this stream.
    func admits(_ other: MPEGFrameHeader) -> Bool {
        header.matches(other) && (other.bitrate == nil) == (freeFormatLength != nil)
    }

    /// Returns the length in bytes of the packet with the header `other`, for which `admits(_:)` must be true.
    func length(of other: MPEGFrameHeader) -> Int {
        other.length ?? (freeFormatLength ?? 0) + other.paddingLength
    }
}
