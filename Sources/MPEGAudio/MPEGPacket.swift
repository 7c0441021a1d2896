// SPDX-License-Identifier: GPL-3.0-or-later

/// One MPEG frame, header included: the compressed unit that is fed to a decoder.
public struct MPEGPacket: Sendable, Equatable {
    public let header: MPEGFrameHeader
    /// The file offset of its header.
    public let offset: Int64
    /// Its length in bytes, header included.
    public let length: Int
    /// Its number among the stream's audio frames, from 0; Xing, Info and VBRI frames do not count.
    public let number: Int64

    public init(header: MPEGFrameHeader, offset: Int64, length: Int, number: Int64) {
        self.header = header
        self.offset = offset
        self.length = length
        self.number = number
    }
}
