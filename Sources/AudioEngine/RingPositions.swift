// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// How far the two ends of a ring have come: one thread writes, one reads, any may look.
///
/// The indexes run freely and are never wrapped, so that full and empty need no flag. Each end keeps its last look at
/// the other's index beside its own, on cache lines apart from the other end's: most calls touch nothing shared.
struct RingPositions: ~Copyable, Sendable {
    /// Elements the ring holds, a power of two.
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

    /// Where in the ring the element with a free-running index lies.
    @_noLocks @_noAllocation
    func slot(of index: Int) -> Int { index & (capacity - 1) }

    /// The elements held, seen from any thread; the two ends may move meanwhile.
    var count: Int {
        let start = read.load(ordering: .acquiring)
        return min(capacity, written.load(ordering: .acquiring) &- start)
    }

    /// Index of the next element to be written.
    var writeIndex: Int { @_noLocks @_noAllocation get { written.load(ordering: .acquiring) } }
    /// Index of the next element to be read.
    var readIndex: Int { @_noLocks @_noAllocation get { read.load(ordering: .acquiring) } }

    /// Producer: whether `count` more elements fit.
    @_noLocks @_noAllocation
    func hasRoom(for count: Int) -> Bool {
        let end = written.load(ordering: .relaxed) &+ count &- capacity
        if end <= readSeen.load(ordering: .relaxed) { return true }
        let seen = read.load(ordering: .acquiring)
        readSeen.store(seen, ordering: .relaxed)
        return end <= seen
    }

    /// Consumer: whether there is an element.
    @_noLocks @_noAllocation
    func hasElement() -> Bool {
        let start = read.load(ordering: .relaxed)
        if start < writtenSeen.load(ordering: .relaxed) { return true }
        let seen = written.load(ordering: .acquiring)
        writtenSeen.store(seen, ordering: .relaxed)
        return start < seen
    }

    /// Producer: makes `count` elements, already in place, visible to the consumer.
    @_noLocks @_noAllocation
    func didWrite(_ count: Int) {
        written.store(written.load(ordering: .relaxed) &+ count, ordering: .releasing)
    }

    /// Consumer: gives the places of `count` elements back to the producer.
    @_noLocks @_noAllocation
    func didRead(_ count: Int) {
        read.store(read.load(ordering: .relaxed) &+ count, ordering: .releasing)
    }
}
