// SPDX-License-Identifier: GPL-3.0-or-later
import TerminalInterface
import Testing

@testable import Sessions

@Suite("The connection of the screen to the player")
struct ConnectionAttemptsTests {
    /// Returns the number of attempts that are made, with a request for `late` more during attempt `number`.
    private static func made(_ attempts: inout ConnectionAttempts, late: Int = 0, during number: Int = 0) -> Int {
        var count = 0
        while attempts.take() {
            count += 1
            if count == number { _ = attempts.add(late) }
        }
        return count
    }

    @Test("A request makes as many attempts as it asks for, and one thread makes them")
    func count() {
        var attempts = ConnectionAttempts()
        let isFirst = attempts.add(2)
        let isSecond = attempts.add(1)
        #expect(isFirst && !isSecond)
        #expect(Self.made(&attempts) == 2)
    }

    @Test("A player that appears during the last attempt gets further attempts")
    func lateRequest() {
        var attempts = ConnectionAttempts()
        _ = attempts.add(1)
        #expect(Self.made(&attempts, late: 10, during: 1) == 11)
    }

    @Test("After a success no attempt is left, and the next request starts again")
    func success() {
        var attempts = ConnectionAttempts()
        _ = attempts.add(10)
        attempts.succeed()
        #expect(Self.made(&attempts) == 0)
        let isFirst = attempts.add(1)
        #expect(isFirst && Self.made(&attempts) == 1)
    }

    @Test("The screen says that playback was stopped only if the player has accepted that")
    func sentences() {
        #expect(ScreenLoop.Ending(afterStop: nil) == .init(sentence: "Playback was stopped."))
        #expect(
            ScreenLoop.Ending(afterStop: "the player does not answer")
                == .init(status: .unavailable, sentence: "Playback was not stopped: the player does not answer."))
    }
}
