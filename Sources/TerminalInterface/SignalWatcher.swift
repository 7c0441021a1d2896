// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// What the outside world tells the process.
public enum ProcessSignal: CInt, Sendable, Equatable, CaseIterable {
    case interrupt = 2
    case hangUp = 1
    case quit = 3
    case terminate = 15
    case suspend = 20
    case resume = 18
    case resize = 28
}

/// Takes signals on a thread of its own, by `sigwait`: no handler runs, so nothing is forbidden to the receiver.
///
/// This needs the signals blocked in every thread. `block` is therefore the first thing the program does: threads
/// made later inherit the mask, and a signal that comes before anybody watches is kept.
public enum SignalWatcher {
    /// Blocks all of `ProcessSignal` in the calling thread, and ignores SIGPIPE and SIGXFSZ: a closed pipe and a file
    /// beyond the allowed size are errors of `write`.
    public static func block() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var set = watchedSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Who gets the signals: one at a time, or which thread took one would be left to chance.
    private static let owner = Mutex<(@Sendable (ProcessSignal) -> Void)?>(nil)

    /// Calls `handler` for each signal from now on, one after the other, on one thread that lives as long as the
    /// process. It takes the place of an earlier one.
    public static func watch(_ handler: @escaping @Sendable (ProcessSignal) -> Void) {
        let isFirst = owner.withLock { owner in
            defer { owner = handler }
            return owner == nil
        }
        guard isFirst else { return }
        let thread = WorkerThread.start {
            var set = watchedSet()
            while true {
                var number: CInt = 0
                guard sigwait(&set, &number) == 0 else { return }
                if let signal = ProcessSignal(rawValue: number) { owner.withLock { $0 }?(signal) }
            }
        }
        if let thread { return thread.detach() }
        // Nobody takes them: then they do what they do to any program.
        var set = watchedSet()
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// For commands that may end anywhere: signals do what they do to any program, until somebody watches them.
    public static func leaveToSystem() { watch(deliver) }

    /// Lets the signal do what it does to any program.
    private static func deliver(_ signal: ProcessSignal) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal.rawValue)
        raise(signal.rawValue)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Stops the process as Ctrl-Z does, and returns when it continues. In an orphaned process group the system ignores
    /// SIGTSTP, because nobody could continue the process, and this returns immediately.
    public static func suspendProcess() { deliver(.suspend) }

    /// Ends the process at once, the terminal as it was found; what is on disk stays as it is.
    public static func exitAtOnce(_ status: ExitStatus) -> Never {
        Terminal.restore()
        // The prompt must not stand behind half a status line.
        if Terminal.standardErrorIsTerminal { _ = StandardStreams.write([.error("\n")]) }
        _exit(status.rawValue)
    }

    private static func watchedSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in ProcessSignal.allCases { sigaddset(&set, signal.rawValue) }
        return set
    }
}
