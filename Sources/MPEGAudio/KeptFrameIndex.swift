// SPDX-License-Identifier: GPL-3.0-or-later

/// The index of a whole file, kept so that the file need not be read again to be sought in exactly.
public struct KeptFrameIndex: Sendable, Equatable {
    /// The file's length in bytes.
    public let totalLength: Int64
    /// All packets of the file.
    public let index: FrameIndex

    public init(_ index: FrameIndex, totalLength: Int64) {
        self.index = index
        self.totalLength = totalLength
    }

    /// Whether it speaks of the file that has this length and begins with this packet, as far as that can tell.
    /// - Parameters:
    ///   - totalLength: the file's length in bytes; nothing fits while it is unknown.
    ///   - firstPacket: the first packet of a parse from byte 0.
    public func fits(totalLength: Int64?, firstPacket: MPEGPacket) -> Bool {
        guard let frontier = index.frontier else { return false }
        return totalLength == self.totalLength && frontier.offset <= self.totalLength
            && index.first == SeekPoint(firstPacket)
    }

    /// The length in 8 bytes, the highest first, and the index. The length has no checksum: a wrong one fits no file.
    public func encoded() -> [UInt8] {
        stride(from: 56 as Int64, through: 0, by: -8).map { UInt8(truncatingIfNeeded: totalLength >> $0) }
            + index.encoded()
    }

    /// - Returns: `nil` for anything but what `encoded()` makes.
    public init?(encoded bytes: [UInt8]) {
        let length = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard let index = FrameIndex(encoded: Array(bytes.dropFirst(8))), let totalLength = Int64(exactly: length)
        else { return nil }
        self.init(index, totalLength: totalLength)
    }
}
