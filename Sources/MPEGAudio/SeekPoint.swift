// SPDX-License-Identifier: GPL-3.0-or-later

/// A packet boundary at which parsing can resume.
public struct SeekPoint: Sendable, Equatable {
    /// The file offset of the packet's header.
    public let offset: Int64
    public let packetNumber: Int64
    /// A header of the format at this point.
    public let format: MPEGFrameHeader
    /// The length of an unpadded packet in bytes; `nil` unless the format is free format.
    public let freeFormatLength: Int?

    public init(offset: Int64, packetNumber: Int64, format: MPEGFrameHeader, freeFormatLength: Int? = nil) {
        self.offset = offset
        self.packetNumber = packetNumber
        self.format = format
        self.freeFormatLength = freeFormatLength
    }

    /// Creates a point at the start of `packet`.
    public init(_ packet: MPEGPacket) {
        let isFree = packet.header.bitrate == nil
        self.init(
            offset: packet.offset, packetNumber: packet.number, format: packet.header,
            freeFormatLength: isFree ? packet.length - packet.header.paddingLength : nil)
    }
}
