// SPDX-License-Identifier: GPL-3.0-or-later

/// A lock-free queue of byte blocks of any length, from one thread to another, in order. Use it for data that is
/// longer than a message. Either end may be the realtime thread.
///
/// ```swift
/// let queue = BlockQueue(capacity: 65_536)
/// queue.write(bytes)                          // one thread
/// while queue.read({ consume($0) }) {}        // the other
/// ```
public final class BlockQueue: Sendable {
    /// The maximum length of a block, in bytes: a block of this length fits at any position in the ring.
    public let longestBlock: Int

    private let ring: BlockRing

    /// - Parameter capacity: bytes, rounded up to a power of two; each block uses 8 more bytes, and is rounded up to
    ///   a multiple of 8.
    public init(capacity: Int) {
        ring = BlockRing(words: max(4, (min(max(0, capacity), 1 << 40) + 7) / 8))
        longestBlock = (ring.words / 2 - 1) * 8
    }

    /// Appends a block, completely or not at all; it may be empty. Only the producer may call this.
    /// - Returns: false if the queue is full, or if the block is longer than `longestBlock`.
    @discardableResult
    public func write(_ block: UnsafeRawBufferPointer) -> Bool { ring.write(block.baseAddress, block.count) }

    /// Passes the oldest block, if there is one, to `body`, and then removes it. The block is aligned to 8 bytes and
    /// valid until `body` returns. Only the consumer may call this.
    /// - Returns: true if there was a block.
    @discardableResult
    public func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard let block = ring.front else { return false }
        body(block)
        ring.removeFront()
        return true
    }

    /// The number of blocks that did not fit.
    public var refusedBlocks: Int { ring.refusals }
}
