// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioContainers

@Suite("Queue of events")
struct EventQueueTests {
    @Test("Events are returned in their order, also those added between two of them")
    func order() {
        var queue = EventQueue<Int>()
        for number in 1...3 { queue.append(number) }
        var found = [queue.popFirst()]
        queue.append(4)
        while !queue.isEmpty { found.append(queue.popFirst()) }
        let last = queue.popFirst()
        #expect(found == [1, 2, 3, 4] && last == nil)
        queue.append(5)
        let next = queue.popFirst()
        #expect(next == 5 && queue.isEmpty)
    }

    @Test("Removed events are not returned, and returned ones do not return")
    func removal() {
        var queue = EventQueue<Int>()
        for number in 1...5 { queue.append(number) }
        _ = queue.popFirst()
        queue.removeAll { $0.isMultiple(of: 2) }
        let found = (0..<3).map { _ in queue.popFirst() }
        #expect(found == [3, 5, nil])
    }
}
