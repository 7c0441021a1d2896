// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The content of a Xing, Info or VBRI frame at the start of a stream. Its values are claims and may be wrong.
public struct StreamInfo: Sendable, Equatable {
    /// The kind of the frame.
    public enum Kind: Sendable, Equatable {
        /// VBR or ABR.
        case xing
        /// CBR, as written by LAME and Lavf.
        case info
        /// Fraunhofer's format.
        case vbri
    }

    public let kind: Kind
    public let header: MPEGFrameHeader
    /// The file offset of this frame.
    public let offset: Int64
    /// The length of this frame in bytes.
    public let length: Int
    /// Audio packets of the stream, without this frame.
    public let declaredFrames: Int64?
    /// Bytes of the stream, usually from this frame's first byte on.
    public let declaredBytes: Int64?
    public let seekTable: SeekTable?
    /// The encoder's name ("LAME3.100"), at most 9 characters of printable ASCII.
    public let encoder: String?
    /// PCM frames that the encoder added at the start, raw as in the tag: the decoder's own 529 are **not** included.
    public let encoderDelay: Int?
    /// PCM frames that the encoder added at the end, raw as in the tag: the decoder's own 529 are **not** subtracted.
    public let encoderPadding: Int?
    /// The gain of the track that the encoder measured.
    public let gain: TrackGain?

    public init(
        kind: Kind, header: MPEGFrameHeader, offset: Int64, length: Int, declaredFrames: Int64? = nil,
        declaredBytes: Int64? = nil, seekTable: SeekTable? = nil, encoder: String? = nil,
        encoderDelay: Int? = nil, encoderPadding: Int? = nil, gain: TrackGain? = nil
    ) {
        self.kind = kind
        self.header = header
        self.offset = offset
        self.length = length
        self.declaredFrames = declaredFrames
        self.declaredBytes = declaredBytes
        self.seekTable = seekTable
        self.encoder = encoder
        self.encoderDelay = encoderDelay
        self.encoderPadding = encoderPadding
        self.gain = gain
    }
}

/// A tag's coarse map from time to byte.
public enum SeekTable: Sendable, Equatable {
    /// 100 bytes: entry *p* is the position at *p* percent of the time, in 256ths of the stream's bytes.
    case xing([UInt8])
    /// The length in bytes of each run of `packetsPerEntry` packets, counted from the end of the VBRI frame.
    case vbri([Int64], packetsPerEntry: Int)
}
