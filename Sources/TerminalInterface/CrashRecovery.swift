// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// Restores the terminal when the process crashes while it reads keys: a shell without an echo looks broken.
///
/// `atexit` does not run for these signals. The handler uses only calls that are safe in it (POSIX.1-2017, 2.4.3), and
/// leaves the rest to the handler that was installed before, such as the one that prints a backtrace.
enum CrashRecovery {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT]

    /// The terminal to restore; -1 when nothing is changed.
    private static let descriptor = Atomic<CInt>(-1)
    /// Addresses of the modes to restore and of the earlier handlers, by signal. They stay allocated: a crash may come
    /// at any time.
    private static let modes = Atomic<UInt>(UInt(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1)))
    private static let earlier = Atomic<UInt>(0)

    /// Remembers the modes to restore, and watches for crashes from the first call on.
    static func arm(_ terminal: CInt, _ found: termios) {
        UnsafeMutablePointer<termios>(bitPattern: modes.load(ordering: .relaxed))?.initialize(to: found)
        _ = isWatching
        descriptor.store(terminal, ordering: .releasing)
    }

    static func disarm() { descriptor.store(-1, ordering: .releasing) }

    private static let isWatching: Bool = {
        let count = Int(signals.max() ?? 0) + 1
        let handlers = UnsafeMutablePointer<sigaction>.allocate(capacity: count)
        handlers.initialize(repeating: sigaction(), count: count)
        earlier.store(UInt(bitPattern: handlers), ordering: .relaxed)
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_sigaction = { signal, details, _ in CrashRecovery.handle(signal, details) }
            action.sa_flags = CInt(SA_SIGINFO) | CInt(SA_ONSTACK)
            sigaction(signal, &action, handlers + Int(signal))
        }
        return true
    }()

    private static func handle(_ signal: CInt, _ details: UnsafeMutablePointer<siginfo_t>?) {
        let terminal = descriptor.load(ordering: .acquiring)
        if terminal >= 0, let modes = UnsafePointer<termios>(bitPattern: modes.load(ordering: .relaxed)) {
            tcsetattr(terminal, TCSANOW, modes)
        }
        if let handlers = UnsafePointer<sigaction>(bitPattern: earlier.load(ordering: .relaxed)) {
            sigaction(signal, handlers + Int(signal), nil)
        }
        // A fault happens again when this returns. A signal that a process sent does not.
        if let details, details.pointee.si_code <= 0 { raise(signal) }
    }
}
