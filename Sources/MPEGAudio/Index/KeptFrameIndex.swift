// SPDX-License-Identifier: GPL-3.0-or-later

/// The stored index of a whole file. It allows exact seeks without another parse of the file.
public struct KeptFrameIndex: Sendable, Equatable {
    /// The file's length in bytes.
    public let totalLength: Int64
    /// All packets of the file.
    public let index: FrameIndex

    public init(_ index: FrameIndex, totalLength: Int64) {
        self.index = index
        self.totalLength = totalLength
    }

    /// Returns true if the file has the length and the first packet of the indexed file.
    /// - Parameters:
    ///   - totalLength: the file's length in bytes; the result is false while it is unknown.
    ///   - firstPacket: the first packet of a parse from byte 0.
    public func fits(totalLength: Int64?, firstPacket: MPEGPacket) -> Bool {
        guard let frontier = index.frontier else { return false }
        return totalLength == self.totalLength && frontier.offset <= self.totalLength
            && index.first == SeekPoint(firstPacket)
    }

    /// Returns the length in 8 big-endian bytes, followed by the index. The length has no checksum: a wrong one
    /// matches no file.
    public func encoded() -> [UInt8] {
        stride(from: 56 as Int64, through: 0, by: -8).map { UInt8(truncatingIfNeeded: totalLength >> $0) }
            + index.encoded()
    }

    /// Decodes a stored index.
    /// - Returns: `nil` unless the bytes are the result of `encoded()`.
    public init?(encoded bytes: [UInt8]) {
        let length = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard let index = FrameIndex(encoded: Array(bytes.dropFirst(8))), let totalLength = Int64(exactly: length)
        else { return nil }
        self.init(index, totalLength: totalLength)
    }
}
