// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// One MPEG frame, including its header: the compressed unit that a decoder accepts.
public struct MPEGPacket: Sendable, Equatable {
    public let header: MPEGFrameHeader
    /// The file offset of the header.
    public let offset: Int64
    /// The length in bytes, including the header.
    public let length: Int
    /// The number among the stream's audio frames, from 0; Xing, Info and VBRI frames do not count.
    public let number: Int64

    public init(header: MPEGFrameHeader, offset: Int64, length: Int, number: Int64) {
        self.header = header
        self.offset = offset
        self.length = length
        self.number = number
    }
}

/// The parts of a stream that the parser returns, in the order of the file: the byte ranges ascend.
public enum MPEGEvent: Sendable, Equatable {
    /// A tag with its declared length. The range of a truncated tag reaches beyond the end of the file.
    case tag(TagKind, ByteRange)
    /// A Xing, Info or VBRI frame. It contains no audio, is not numbered and not returned as a packet. Only a frame
    /// before the first packet describes the whole stream; a later one belongs to a joined file.
    case info(StreamInfo)
    /// The trim values of an ID3v2 comment, after the event of its tag.
    case gapless(ITunSMPB)
    /// A whole MPEG frame that contains audio.
    case packet(MPEGPacket)
    /// Bytes that belong neither to a packet nor to a tag.
    case garbage(ByteRange)
    /// A change of format, before its first packet; two further headers have confirmed it.
    case formatChanged(from: MPEGFrameHeader, to: MPEGFrameHeader)
}

/// The kind of a tag.
public enum TagKind: Sendable, Equatable, CaseIterable {
    case id3v2, id3v1, ape, lyrics3
}

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
