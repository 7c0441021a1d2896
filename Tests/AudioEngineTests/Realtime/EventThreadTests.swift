// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Glibc
import Media
import Synchronization
import Testing

/// An event source that counts its drains and runs a closure each time.
private final class CountedSource: EventSource {
    let drained = Atomic<Int>(0)
    private let then: @Sendable () -> Void
    init(_ then: @escaping @Sendable () -> Void = {}) { self.then = then }
    func drainEvents() {
        drained.add(1, ordering: .relaxed)
        then()
    }
}

@Suite("EventThread") struct EventThreadTests {
    @Test("Without an interval events are delivered only by drain(), on the calling thread")
    func manual() {
        let (events, source) = (EventThread(every: nil), CountedSource())
        events.attach(source)
        events.attach(source)
        #expect(source.drained.load(ordering: .relaxed) == 0)
        events.drain()
        #expect(source.drained.load(ordering: .relaxed) == 1)
    }

    @Test("A source is not kept alive")
    func weakly() {
        let events = EventThread(every: nil)
        weak var gone: CountedSource?
        do {
            let source = CountedSource()
            gone = source
            events.attach(source)
        }
        #expect(gone == nil)
        events.drain()
    }

    @Test("A drain within a handler has no effect and does not block")
    func reentrance() {
        let events = EventThread(every: nil)
        let source = CountedSource { [events] in events.drain() }
        events.attach(source)
        events.drain()
        #expect(source.drained.load(ordering: .relaxed) == 1)
    }

    @Test("A handler may attach another source and close its own thread")
    func fromWithin() async {
        let events = EventThread(every: .milliseconds(1))
        let (other, isClosed) = (CountedSource(), TestFlag())
        let source = CountedSource {
            events.attach(other)
            events.close()
            isClosed.set()
        }
        events.attach(source)
        #expect(await eventually { isClosed.isSet })
        events.drain()
        #expect(other.drained.load(ordering: .relaxed) > 0)
    }

    @Test("A handler that another thread runs can close the event thread while that thread waits to drain")
    func fromAnotherThread() async {
        let (events, isClosed) = (EventThread(every: .milliseconds(20)), TestFlag())
        let source = CountedSource {
            // Long enough for the event thread to arrive and wait.
            usleep(80_000)
            events.close()
            isClosed.set()
        }
        WorkerThread.start {
            events.attach(source)
            events.drain()
        }?.detach()
        #expect(await eventually { isClosed.isSet })
        withExtendedLifetime(source) {}
    }

    @Test("With an interval the thread drains periodically until it is closed; closing drains once more")
    func byItself() async {
        let (events, source) = (EventThread(every: .milliseconds(1)), CountedSource())
        events.attach(source)
        #expect(await eventually { source.drained.load(ordering: .relaxed) >= 3 })
        events.close()
        let after = source.drained.load(ordering: .relaxed)
        events.close()
        #expect(source.drained.load(ordering: .relaxed) == after + 1)
    }

    @Test("Several threads never drain at the same time")
    func oneAtATime() async {
        let (events, inside, most) = (EventThread(every: nil), TestCount(), Diary<Int>())
        let source = CountedSource {
            most.note(inside.add())
            inside.add(-1)
        }
        events.attach(source)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<500 { events.drain() } } }
        }
        #expect(most.entries.max() == 1)
        #expect(source.drained.load(ordering: .relaxed) == 2000)
    }
}
