// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The positions of the two ends of a ring: one thread writes, one reads, any may query.
///
/// The indexes increase freely and never wrap, so that full and empty need no flag. Each end keeps the last known
/// index of the other end beside its index, on cache lines apart from the other end's, so most calls touch no shared
/// memory.
struct RingPositions: ~Copyable, Sendable {
    /// The capacity in elements, a power of two.
    let capacity: Int

    // Owned by the producer.
    private let written = Atomic<Int>(0)
    private let readSeen = Atomic<Int>(0)
    private let apart = InlineArray<16, Int>(repeating: 0)
    // Owned by the consumer.
    private let read = Atomic<Int>(0)
    private let writtenSeen = Atomic<Int>(0)

    /// - Parameter capacity: rounded up to a power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity <= 1 << 40, "a ring of \(capacity) elements")
        self.capacity = 1 << (Int.bitWidth - (capacity - 1).leadingZeroBitCount)
    }

    /// Returns the slot in the ring of the element with a free-running index.
    @_noLocks @_noAllocation
    func slot(of index: Int) -> Int { index & (capacity - 1) }

    /// The number of elements in the ring, from any thread; both ends may move in between.
    var count: Int {
        let start = read.load(ordering: .acquiring)
        return min(capacity, written.load(ordering: .acquiring) &- start)
    }

    /// The index of the next element to be written.
    var writeIndex: Int { @_noLocks @_noAllocation get { written.load(ordering: .acquiring) } }
    /// The index of the next element to be read.
    var readIndex: Int { @_noLocks @_noAllocation get { read.load(ordering: .acquiring) } }

    /// Returns true if `count` more elements fit. Only the producer may call this.
    @_noLocks @_noAllocation
    func hasRoom(for count: Int) -> Bool {
        let end = written.load(ordering: .relaxed) &+ count &- capacity
        if end <= readSeen.load(ordering: .relaxed) { return true }
        let seen = read.load(ordering: .acquiring)
        readSeen.store(seen, ordering: .relaxed)
        return end <= seen
    }

    /// Returns true if the ring has an element. Only the consumer may call this.
    @_noLocks @_noAllocation
    func hasElement() -> Bool {
        let start = read.load(ordering: .relaxed)
        if start < writtenSeen.load(ordering: .relaxed) { return true }
        let seen = written.load(ordering: .acquiring)
        writtenSeen.store(seen, ordering: .relaxed)
        return start < seen
    }

    /// Makes `count` elements, which are already stored, visible to the consumer. Only the producer may call this.
    @_noLocks @_noAllocation
    func didWrite(_ count: Int) {
        written.store(written.load(ordering: .relaxed) &+ count, ordering: .releasing)
    }

    /// Returns the slots of `count` elements to the producer. Only the consumer may call this.
    @_noLocks @_noAllocation
    func didRead(_ count: Int) {
        read.store(read.load(ordering: .relaxed) &+ count, ordering: .releasing)
    }
}
