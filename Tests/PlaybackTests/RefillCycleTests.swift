// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Playback

@Suite("Refills of the ring with processed sound")
struct RefillCycleTests {
    @Test("The ring is filled up to 1 s, and again when 0.6 s are left; the thread is woken at 0.4 s")
    func levels() {
        var refill = RefillCycle(AudioFormat(sampleRate: 1000, channels: 1))
        let levels = [0, 400, 999, 1000, 999, 700, 601, 600, 800, 999, 1200, 601]
        let due = levels.map { refill.isDue(at: $0) }
        #expect(due == [true, true, true, false, false, false, false, true, true, true, false, false])
        #expect(refill.wake == 400)
    }

    @Test("A ring whose frames are dropped is filled immediately")
    func dropped() {
        var refill = RefillCycle(AudioFormat(sampleRate: 1000, channels: 1))
        let due = [1000, 900, 0, 900].map { refill.isDue(at: $0) }
        #expect(due == [false, false, true, true])
    }
}
