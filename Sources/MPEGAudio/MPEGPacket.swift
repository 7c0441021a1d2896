// SPDX-License-Identifier: GPL-3.0-or-later

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
