// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

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
