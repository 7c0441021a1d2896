// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Testing

@testable import TerminalInterface

@Suite("Signals")
struct SignalPolicyTests {
    @Test(
        "The first signal stops cleanly, the second immediately",
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

    @Test("A process that is stopping does not set the terminal mode again")
    func resumeWhileStopping() {
        var policy = SignalPolicy()
        _ = policy.handle(.terminate)
        #expect(policy.handle(.suspend) == [.restoreTerminal, .suspendProcess])
        #expect(policy.handle(.resume) == [])
    }

    @Test("The signal numbers are those of the system")
    func numbers() {
        let numbers = [SIGINT, SIGHUP, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH]
        #expect(numbers == ProcessSignal.allCases.map(\.rawValue))
    }
}
