// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import DesktopBus

@Suite("Locks against sleep")
struct SleepPolicyTests {
    private var policy = SleepPolicy(inhibits: true, delaysSleep: true)

    @Test("An idle machine stays awake only while sound plays")
    mutating func idle() {
        #expect(policy.locks == [.sleep])
        policy.isPlaying = true
        #expect(policy.locks == [.idle, .sleep])
        policy.isPlaying = false
        #expect(policy.locks == [.sleep])
    }

    @Test("Sleep is delayed until it is allowed, and again after the machine wakes")
    mutating func sleep() {
        policy.allowSleep()
        #expect(policy.locks.isEmpty)
        policy.wake()
        #expect(policy.locks == [.sleep])
    }

    @Test("Each lock can be turned off")
    func off() {
        var apart = SleepPolicy(inhibits: false, delaysSleep: true)
        apart.isPlaying = true
        #expect(apart.locks == [.sleep])
        #expect(SleepPolicy(inhibits: true, delaysSleep: false).locks.isEmpty)
    }
}
