// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EarshotTestSupport
import Media
import Testing

@Suite("WakeSignal")
struct WakeSignalTests {
    private static let long = TimeLimit.event

    @Test("A signal before the wait is kept")
    func signalBeforeWait() {
        let signal = WakeSignal()
        signal.signal()
        #expect(time { signal.wait(atMost: Self.long) } < Self.long)
    }

    @Test("Several signals count as one")
    func signalsMerge() {
        let signal = WakeSignal()
        for _ in 0..<100_000 { signal.signal() }
        signal.wait(atMost: Self.long)
        #expect(time { signal.wait(atMost: .milliseconds(20)) } >= .milliseconds(20))
    }

    @Test("A signal wakes a waiting thread, again and again")
    func wakesWaiter() {
        let (there, back) = (WakeSignal(), WakeSignal())
        let echo = DispatchQueue(label: "echo")
        echo.async {
            for _ in 0..<1000 {
                there.wait(atMost: Self.long)
                back.signal()
            }
        }
        let spent = time {
            for _ in 0..<1000 {
                there.signal()
                back.wait(atMost: Self.long)
            }
        }
        #expect(spent < Self.long)
    }

    @Test("Without a signal the wait ends at its limit")
    func limitEnds() {
        let signal = WakeSignal()
        #expect(time { signal.wait(atMost: .milliseconds(30)) } >= .milliseconds(30))
    }

    private func time(_ body: () -> Void) -> Duration { ContinuousClock().measure(body) }
}
