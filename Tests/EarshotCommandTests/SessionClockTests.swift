// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Synchronization
import Testing

@testable import Sessions

@Suite("Ticks of a session")
struct SessionClockTests {
    private final class Counter: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }
        func increment() { count.withLock { $0 += 1 } }
    }

    @Test("An earlier tick replaces a later one, and a later one does not delay it")
    func earliest() async {
        let counter = Counter()
        let clock = SessionClock { counter.increment() }
        clock.tickSoon(after: .seconds(3600))
        clock.tickSoon(after: .zero)
        clock.tickSoon(after: .seconds(1800))
        #expect(await eventually { counter.value == 1 })
    }
}
