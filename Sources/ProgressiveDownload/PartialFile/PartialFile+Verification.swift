// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// Verifying the blocks of an earlier run against their hashes, when they are read or in the background. Verifying a
/// long file takes seconds.
extension PartialFile {
    /// The number of blocks that are verified while a file is opened.
    static let mostProvenAtOnce = 32

    /// Returns the end of the stored and verified bytes from `offset` on.
    func verifiedEnd(from offset: Int64, atMost end: Int64) throws(SystemError) -> Int64 {
        let end = min(end, fileExtents.contiguousEnd(from: offset))
        guard end > offset, content.withLock({ !$0.unverified.isEmpty }) else { return end }
        try prove(offset..<end)
        let doubtful = content.withLock { content in
            content.unverified.ranges.first { $0.upperBound > offset }?.lowerBound ?? end
        }
        return max(offset, min(doubtful, fileExtents.contiguousEnd(from: offset), end))
    }

    /// The fewest and the most bytes compared with the beginning of the file.
    private static let comparedBeginning = 64...4096

    /// Returns true if received bytes are the beginning of the file, but were sent for an offset where nothing is
    /// stored to compare with.
    func isBeginning(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Bool {
        let count = min(bytes.count, Self.comparedBeginning.upperBound)
        guard count >= Self.comparedBeginning.lowerBound, offset >= Int64(count),
            extents.missing(in: offset - 1..<offset + 1) == 2, extents.contains(0..<Int64(count))
        else { return false }
        return try equals(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: 0)
    }

    /// Verifies the blocks of `range` that were not verified yet.
    func prove(_ range: ByteRange) throws(SystemError) {
        let unproven = content.withLock { $0.unverified }
        guard unproven.missing(in: range) < Int64(range.count) else { return }
        for block in BlockHashes.pieces(of: unproven) where block.overlaps(range) { try prove(block: block) }
    }

    /// Verifies the next block.
    /// - Returns: `false` if there was none, or this process may no longer write.
    func proveNext() throws(SystemError) -> Bool {
        let unproven = content.withLock { $0.unverified }
        guard isLocked, let first = unproven.ranges.first else { return false }
        try prove(block: first.lowerBound..<min(first.upperBound, first.lowerBound + BlockHashes.blockSize))
        return true
    }

    /// Returns the blocks that were found to be damaged since the last call.
    func removeLostRanges() -> [ByteRange] {
        content.withLock { content in
            defer { content.lost = [] }
            return content.lost
        }
    }

    private func prove(block: ByteRange) throws(SystemError) {
        let isDamaged = hashes.withLock { $0 }.isDamaged(block, in: file)
        // A process that cannot write the block reads it again later.
        guard isLocked || !isDamaged else { return }
        // In one step with the hash: `writeSafely` must not give a damaged block the hash of its damage.
        let isNews = hashes.withLock { hashes in
            let isNews = content.withLock { $0.recordVerification(of: block, isDamaged: isDamaged) }
            if isNews { hashes.forget([block]) }
            return isNews
        }
        if isNews { try renewJournal() }
    }
}

extension PartialFile.Content {
    /// - Returns: True if the block is found to be damaged for the first time.
    fileprivate mutating func recordVerification(of block: ByteRange, isDamaged: Bool) -> Bool {
        guard unverified.contains(block) else { return false }
        unverified.subtract(block)
        guard isDamaged else { return false }
        extents.subtract(block)
        durable.subtract(block)
        lost.append(block)
        return true
    }
}
