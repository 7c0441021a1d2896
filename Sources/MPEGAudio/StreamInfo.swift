// SPDX-License-Identifier: GPL-3.0-or-later

/// What the first MPEG frame says of the stream when it is a Xing, Info or VBRI frame: claims, not facts.
public struct StreamInfo: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// VBR or ABR.
        case xing
        /// CBR, as LAME and Lavf mark it.
        case info
        /// Fraunhofer's own.
        case vbri
    }

    public let kind: Kind
    public let header: MPEGFrameHeader
    /// The file offset of this frame.
    public let offset: Int64
    /// Its length in bytes.
    public let length: Int
    /// Audio packets of the stream, this frame not counted.
    public let declaredFrames: Int64?
    /// Bytes of the stream, as a rule from this frame's first byte on.
    public let declaredBytes: Int64?
    public let seekTable: SeekTable?
    /// The encoder's own name ("LAME3.100"), at most 9 characters of printable ASCII.
    public let encoder: String?
    /// PCM frames the encoder put in front, raw as in the tag: the decoder's own 529 are **not** included.
    public let encoderDelay: Int?
    /// PCM frames the encoder put behind, raw as in the tag: the decoder's own 529 are **not** taken off.
    public let encoderPadding: Int?

    public init(
        kind: Kind, header: MPEGFrameHeader, offset: Int64, length: Int, declaredFrames: Int64? = nil,
        declaredBytes: Int64? = nil, seekTable: SeekTable? = nil, encoder: String? = nil,
        encoderDelay: Int? = nil, encoderPadding: Int? = nil
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
    }
}

/// A tag's coarse map from time to byte.
public enum SeekTable: Sendable, Equatable {
    /// 100 bytes: entry *p* is where *p* percent of the time has passed, in 256ths of the stream's bytes.
    case xing([UInt8])
    /// The bytes that each run of `packetsPerEntry` packets takes, counted from the end of the VBRI frame.
    case vbri([Int64], packetsPerEntry: Int)
}
