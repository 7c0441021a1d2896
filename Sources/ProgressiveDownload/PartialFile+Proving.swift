// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// Comparing the blocks of an earlier run with their hashes: when they are read, or in the background. All of a long
/// file takes seconds.
extension PartialFile {
    /// So many blocks are compared while a file is opened.
    static let mostProvenAtOnce = 32

    /// The end of the bytes from `offset` on that are there and are known to be right.
    func provenEnd(from offset: Int64, atMost end: Int64) throws(SystemError) -> Int64 {
        let end = min(end, fileExtents.contiguousEnd(from: offset))
        guard end > offset, content.withLock({ !$0.unproven.isEmpty }) else { return end }
        try prove(offset..<end)
        let doubtful = content.withLock { content in
            content.unproven.ranges.first { $0.upperBound > offset }?.lowerBound ?? end
        }
        return max(offset, min(doubtful, fileExtents.contiguousEnd(from: offset), end))
    }

    /// Compares those blocks of `range` that were not compared yet.
    func prove(_ range: ByteRange) throws(SystemError) {
        let unproven = content.withLock { $0.unproven }
        guard unproven.missing(in: range) < Int64(range.count) else { return }
        for block in BlockHashes.pieces(of: unproven) where block.overlaps(range) { try prove(block: block) }
    }

    /// Compares one more block.
    /// - Returns: `false` if there was none, or this process may no longer write.
    func proveNext() throws(SystemError) -> Bool {
        let unproven = content.withLock { $0.unproven }
        guard isLocked, let first = unproven.ranges.first else { return false }
        try prove(block: first.lowerBound..<min(first.upperBound, first.lowerBound + BlockHashes.blockSize))
        return true
    }

    /// Blocks that turned out to be damaged since the last call.
    func takeLost() -> [ByteRange] {
        content.withLock { content in
            defer { content.lost = [] }
            return content.lost
        }
    }

    private func prove(block: ByteRange) throws(SystemError) {
        let isDamaged = hashes.withLock { $0 }.isDamaged(block, in: file)
        // A process that cannot write the block reads it again later.
        guard isLocked || !isDamaged else { return }
        let isNews = content.withLock { content in
            guard content.unproven.contains(block) else { return false }
            content.unproven.subtract(block)
            if isDamaged {
                content.extents.subtract(block)
                content.durable.subtract(block)
                content.lost.append(block)
            }
            return isDamaged
        }
        guard isNews else { return }
        hashes.withLock { $0.forget([block]) }
        try renewJournal()
    }
}
