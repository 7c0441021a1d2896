// SPDX-License-Identifier: GPL-3.0-or-later

/// Which of many events comes first: a binary heap of a fixed capacity, in memory of its own, so that the realtime
/// thread adds, takes and removes in the logarithm of their number. Events are known by their slot, `0..<capacity`; of
/// those at the same frame the one with the smaller order comes first.
///
/// Whoever makes it deallocates it; one thread uses it.
struct EventHeap: BitwiseCopyable {
    private struct Node: BitwiseCopyable {
        var frame: Int64
        var order: UInt64
        /// Where in the heap the slot stands.
        var place: Int
    }

    let capacity: Int
    private(set) var count = 0
    private let nodes: UnsafeMutablePointer<Node>
    private let heap: UnsafeMutablePointer<Int>

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        nodes = .allocate(capacity: self.capacity)
        nodes.initialize(repeating: Node(frame: 0, order: 0, place: .max), count: self.capacity)
        heap = .allocate(capacity: self.capacity)
        heap.initialize(repeating: 0, count: self.capacity)
    }

    func deallocate() {
        nodes.deallocate()
        heap.deallocate()
    }

    @_noLocks @_noAllocation
    func contains(_ slot: Int) -> Bool { nodes[slot].place < count }

    @_noLocks @_noAllocation
    func frame(of slot: Int) -> Int64 { nodes[slot].frame }

    /// Adds a slot that is not there yet.
    @_noLocks @_noAllocation
    mutating func insert(_ slot: Int, frame: Int64, order: UInt64) {
        guard count < capacity, !contains(slot) else { return }
        nodes[slot].frame = frame
        nodes[slot].order = order
        put(slot, at: count)
        count &+= 1
        rise(from: count &- 1)
    }

    /// Takes the first event, if its frame is less than `end`.
    @_noLocks @_noAllocation
    mutating func takeFirst(before end: Int64) -> Int? {
        guard count > 0, nodes[heap[0]].frame < end else { return nil }
        let first = heap[0]
        remove(first)
        return first
    }

    /// Takes a slot out, wherever it stands; one that is not there is left alone.
    @_noLocks @_noAllocation
    mutating func remove(_ slot: Int) {
        guard contains(slot) else { return }
        let place = nodes[slot].place
        count &-= 1
        nodes[slot].place = .max
        guard place < count else { return }
        put(heap[count], at: place)
        rise(from: place)
        sink(from: place)
    }

    @_noLocks @_noAllocation
    private func put(_ slot: Int, at place: Int) {
        heap[place] = slot
        nodes[slot].place = place
    }

    @_noLocks @_noAllocation
    private func precedes(_ one: Int, _ other: Int) -> Bool {
        let (a, b) = (nodes[heap[one]], nodes[heap[other]])
        return a.frame != b.frame ? a.frame < b.frame : a.order < b.order
    }

    @_noLocks @_noAllocation
    private func swap(_ one: Int, _ other: Int) {
        let slot = heap[one]
        put(heap[other], at: one)
        put(slot, at: other)
    }

    @_noLocks @_noAllocation
    private func rise(from start: Int) {
        var place = start
        while place > 0, precedes(place, (place &- 1) / 2) {
            swap(place, (place &- 1) / 2)
            place = (place &- 1) / 2
        }
    }

    @_noLocks @_noAllocation
    private func sink(from start: Int) {
        var place = start
        while case let left = place &* 2 &+ 1, left < count {
            let child = left &+ 1 < count && precedes(left &+ 1, left) ? left &+ 1 : left
            guard precedes(child, place) else { return }
            swap(child, place)
            place = child
        }
    }
}
