// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// What the parser finds, in the order of the file: the byte ranges ascend.
public enum MPEGEvent: Sendable, Equatable {
    /// A tag of the length it declares, so the range of one that was cut short reaches beyond the file's end.
    case tag(TagKind, ByteRange)
    /// A Xing, Info or VBRI frame: it carries no audio, has no number and is not handed out as a packet. Only one that
    /// comes before the first packet speaks of the whole stream; a later one belongs to a file joined on.
    case info(StreamInfo)
    /// The trim facts of an ID3v2 comment, after the event of its tag.
    case gapless(ITunSMPB)
    /// A whole MPEG frame that carries audio.
    case packet(MPEGPacket)
    /// Bytes that belong to nothing.
    case garbage(ByteRange)
    /// Comes before the first packet of a new format, once two further headers have confirmed it.
    case formatChanged(from: MPEGFrameHeader, to: MPEGFrameHeader)
}

public enum TagKind: Sendable, Equatable, CaseIterable {
    case id3v2, id3v1, ape, lyrics3
}
