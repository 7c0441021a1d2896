// SPDX-License-Identifier: GPL-3.0-or-later

/// What the packets of one stream have in common.
struct StreamFormat: Sendable, Equatable {
    /// The header by which sync was found.
    let header: MPEGFrameHeader
    /// Bytes of an unpadded packet in free format; `nil`: each header says.
    let freeFormatLength: Int?

    /// The longest free-format packet believed: 640 kbit/s, the most LAME writes, at 8 kHz in Layer III.
    static let longestFreeFormat = 5760

    /// Whether `other` continues this stream.
    func admits(_ other: MPEGFrameHeader) -> Bool {
        header.matches(other) && (other.bitrate == nil) == (freeFormatLength != nil)
    }

    /// Bytes of the packet that `other` begins, which must be admitted.
    func length(of other: MPEGFrameHeader) -> Int {
        other.length ?? (freeFormatLength ?? 0) + other.paddingLength
    }
}
