// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

/// A search for the next stream of a file that joins several, as `cat` does with Ogg and FLAC files. The numbers of the
/// packets begin again there.
struct StreamSearch {
    private static let blockLength = 256 << 10

    private let kind: ContainerKind
    /// The offset of the last start that was found; `nil` before one is found.
    private(set) var start: Int64?
    /// The end of the bytes searched.
    private var end: Int64 = 0

    init(_ kind: ContainerKind) { self.kind = kind }

    /// Searches the bytes after an offset, which never decreases, as far as they have arrived without a gap.
    /// - Returns: true if a stream begins in them.
    mutating func findStart(after offset: Int64, in source: any ByteSource) -> Bool {
        if let start, start > offset { return true }
        end = max(end, offset + 1)
        while true {
            let bytes = source.bytes(at: end, count: Self.blockLength)
            guard bytes.count >= ContainerKind.streamStartLength else { return false }
            if let index = bytes.withUnsafeBytes({ kind.streamStart(in: $0) }) {
                start = end + Int64(index)
                end += Int64(index + 1)
                return true
            }
            // A start may lie across the end of these bytes.
            end += Int64(bytes.count - ContainerKind.streamStartLength + 1)
        }
    }
}
