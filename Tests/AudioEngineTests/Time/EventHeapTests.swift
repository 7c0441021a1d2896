// SPDX-License-Identifier: GPL-3.0-or-later
@testable import AudioEngine
import EarshotTestSupport
import Testing

@Suite("EventHeap") struct EventHeapTests {
    @Test("10,000 events are sorted by frame, and at the same frame by the order in which they were added",
        arguments: [1, 2] as [UInt64])
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var heap = EventHeap(capacity: 10_000)
        defer { heap.deallocate() }
        let frames = (0..<10_000).map { _ in Int64.random(in: 0..<2000, using: &generator) }
        for slot in frames.indices.shuffled(using: &generator) {
            heap.insert(slot, frame: frames[slot], order: UInt64(slot))
        }
        var taken: [Int] = []
        while let event = heap.removeFirst(before: .max) { taken.append(event.slot) }
        #expect(taken == frames.indices.sorted { (frames[$0], $0) < (frames[$1], $1) })
    }

    @Test("A removed event is not returned, and every other one is", arguments: [3, 4, 5] as [UInt64])
    func removal(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var heap = EventHeap(capacity: 64)
        defer { heap.deallocate() }
        var model: [Int: Int64] = [:]
        for order in 0..<20_000 {
            let slot = Int.random(in: 0..<64, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                let frame = Int64.random(in: 0..<100, using: &generator)
                heap.insert(slot, frame: frame, order: UInt64(order))
                if model[slot] == nil { model[slot] = frame }
            case 2:
                heap.remove(slot)
                model[slot] = nil
            default:
                let first = heap.removeFirst(before: 50)?.slot
                #expect(first.flatMap { model[$0] } == model.values.filter { $0 < 50 }.min())
                if let first { model[first] = nil }
            }
            #expect(heap.count == model.count)
        }
    }

    @Test("An event at the bound is not taken, and adding a slot twice or removing a missing one has no effect")
    func edges() {
        var heap = EventHeap(capacity: 2)
        defer { heap.deallocate() }
        heap.insert(0, frame: 10, order: 0)
        heap.insert(0, frame: 5, order: 1)
        #expect(heap.removeFirst(before: 10)?.slot == nil)
        #expect(heap.removeFirst(before: 11)?.slot == 0)
        #expect(heap.removeFirst(before: .max)?.slot == nil)
        heap.remove(1)
        #expect(heap.count == 0)
    }
}
