// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Testing

@testable import TerminalInterface

@Suite("Signals")
struct SignalPolicyTests {
    @Test(
        "the first request stops in good order, the second at once",
        arguments: [
            (ProcessSignal.interrupt, TerminalInterface.ExitStatus.interrupted), (.terminate, .terminated),
            (.hangUp, .hungUp), (.quit, .quit),
        ])
    func stop(signal: ProcessSignal, status: TerminalInterface.ExitStatus) {
        var policy = SignalPolicy()
        #expect(policy.handle(signal) == [.stop(status)])
        #expect(policy.handle(.resize) == [.redraw])
        #expect(policy.handle(signal) == [.exitAtOnce(status)])
    }

    @Test("Ctrl-Z restores the terminal, and reads keys again even if the process was not stopped")
    func suspend() {
        var policy = SignalPolicy()
        #expect(policy.handle(.suspend) == [.restoreTerminal, .suspendProcess, .takeTerminal, .redraw])
        #expect(policy.handle(.resume) == [.takeTerminal, .redraw])
    }

    @Test("a program that is stopping does not take the terminal again")
    func resumeWhileStopping() {
        var policy = SignalPolicy()
        _ = policy.handle(.terminate)
        #expect(policy.handle(.suspend) == [.restoreTerminal, .suspendProcess])
        #expect(policy.handle(.resume) == [])
    }

    @Test("the numbers are the system's")
    func numbers() {
        let numbers = [SIGINT, SIGHUP, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH]
        #expect(numbers == ProcessSignal.allCases.map(\.rawValue))
    }
}
