// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media
import Synchronization
import Testing

/// Counts how often it was drained, and does something each time.
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
    @Test("without an interval it looks when it is told to, on the thread that tells it")
    func manual() {
        let (events, source) = (EventThread(every: nil), CountedSource())
        events.attach(source)
        events.attach(source)
        #expect(source.drained.load(ordering: .relaxed) == 0)
        events.drain()
        #expect(source.drained.load(ordering: .relaxed) == 1)
    }

    @Test("a source is not kept alive")
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

    @Test("a handler that drains again does nothing by that, and waits for nobody")
    func reentrance() {
        let events = EventThread(every: nil)
        let source = CountedSource { [events] in events.drain() }
        events.attach(source)
        events.drain()
        #expect(source.drained.load(ordering: .relaxed) == 1)
    }

    @Test("a handler may attach another source, and close the thread it is called on")
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

    @Test("a handler that another thread drains closes it, though the thread waits for its turn to drain")
    func fromAnotherThread() async {
        let (events, isClosed) = (EventThread(every: .milliseconds(20)), TestFlag())
        let source = CountedSource {
            // Long enough for the thread to have come, and to wait.
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

    @Test("with an interval it looks by itself, until it is closed; closing tells what is left")
    func byItself() async {
        let (events, source) = (EventThread(every: .milliseconds(1)), CountedSource())
        events.attach(source)
        #expect(await eventually { source.drained.load(ordering: .relaxed) >= 3 })
        events.close()
        let after = source.drained.load(ordering: .relaxed)
        events.close()
        #expect(source.drained.load(ordering: .relaxed) == after + 1)
    }

    @Test("several threads that drain never do so at the same time")
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
