// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The signals that the program handles.
public enum ProcessSignal: CInt, Sendable, Equatable, CaseIterable {
    case interrupt = 2
    case hangUp = 1
    case quit = 3
    case terminate = 15
    case suspend = 20
    case resume = 18
    case resize = 28
}

/// Receives signals on a dedicated thread with `sigwait`. No signal handler runs, so the receiver may call any
/// function.
///
/// This requires that all threads block the signals. The program therefore calls `block` first: later threads inherit
/// the mask, and a signal that arrives before `watch` stays pending.
public enum SignalWatcher {
    /// Blocks all of `ProcessSignal` in the calling thread, and ignores SIGPIPE and SIGXFSZ: a closed pipe and a file
    /// beyond the allowed size are errors of `write`.
    public static func block() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var set = watchedSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// The only receiver of signals; with several, the thread that gets a signal would be arbitrary.
    private static let owner = Mutex<(@Sendable (ProcessSignal) -> Void)?>(nil)

    /// Calls `handler` for each signal in order, on one thread that lives as long as the process. Replaces an earlier
    /// handler.
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
        // Without a thread, the signals have their default effect.
        var set = watchedSet()
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Gives signals their default effect until the next `watch`, for commands that may end at any point.
    public static func leaveToSystem() { watch(deliver) }

    /// Performs the default effect of the signal.
    public static func deliver(_ signal: ProcessSignal) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal.rawValue)
        raise(signal.rawValue)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Stops the process as Ctrl-Z does, and returns when it continues. In an orphaned process group, where no shell
    /// could continue the process, the system ignores SIGTSTP and this returns immediately.
    public static func suspendProcess() { deliver(.suspend) }

    /// Restores the terminal and ends the process immediately, without changing files.
    public static func exitAtOnce(_ status: ExitStatus) -> Never {
        Terminal.restore()
        // The shell's prompt must not follow a partial status line.
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
