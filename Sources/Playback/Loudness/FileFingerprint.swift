// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

/// A fingerprint of a complete file: its length, and a hash of 16 blocks of its content. It tells the versions of an
/// episode apart, also those of the same length.
public struct FileFingerprint: Sendable, Equatable {
    private static let blocks: Int64 = 16
    private static let blockLength = 4096

    /// The file's length in bytes.
    public let length: Int64
    /// The `ContentHash` of blocks of 4 KiB, which are spread evenly over the file; `nil` if it is unknown.
    public let hash: UInt64?

    public init(length: Int64, hash: UInt64?) { (self.length, self.hash) = (length, hash) }

    /// Reads the blocks.
    /// - Returns: `nil` unless every byte of the file is available and every block can be read.
    init?(_ source: any ByteSource) {
        let progress = source.downloadProgress
        guard progress.condition == .complete, let length = progress.total else { return nil }
        let count = Int(min(Int64(Self.blockLength), length))
        var hash = ContentHash()
        for block in 0..<Self.blocks {
            let offset = (length - Int64(count)) / (Self.blocks - 1) * block
            let bytes = source.bytes(at: offset, count: count)
            guard bytes.count == count else { return nil }
            bytes.withUnsafeBytes { hash.append($0) }
        }
        self.init(length: length, hash: hash.value)
    }
}
