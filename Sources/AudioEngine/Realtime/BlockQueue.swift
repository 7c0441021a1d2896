// SPDX-License-Identifier: GPL-3.0-or-later

/// Blocks of bytes of any length, from one thread to another, in order, without a lock: for what is longer than a
/// message. Either end may be the realtime thread.
///
/// ```swift
/// let queue = BlockQueue(capacity: 65_536)
/// queue.write(bytes)                          // one thread
/// while queue.read({ consume($0) }) {}        // the other
/// ```
public final class BlockQueue: Sendable {
    /// The longest block, in bytes: what fits wherever the ring happens to stand.
    public let longestBlock: Int

    private let ring: BlockRing

    /// - Parameter capacity: bytes, rounded up to a power of two; each block takes 8 more, and is rounded up to 8.
    public init(capacity: Int) {
        ring = BlockRing(words: max(4, (min(max(0, capacity), 1 << 40) + 7) / 8))
        longestBlock = (ring.words / 2 - 1) * 8
    }

    /// Producer: appends a block, whole or not at all; it may be empty.
    /// - Returns: false where there is no room now, and for what is longer than `longestBlock`.
    @discardableResult
    public func write(_ block: UnsafeRawBufferPointer) -> Bool { ring.write(block.baseAddress, block.count) }

    /// Consumer: the oldest block, if there is one, aligned to 8 bytes and valid until `body` returns.
    /// - Returns: whether there was one.
    @discardableResult
    public func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard let block = ring.front else { return false }
        body(block)
        ring.removeFront()
        return true
    }

    /// Blocks that found no room.
    public var refusedBlocks: Int { ring.refusals }
}
