// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// Restores the terminal when the process crashes while it reads keys or draws on the screen: a shell without echo
/// looks broken.
///
/// `atexit` does not run for these signals. The handler uses only async-signal-safe calls (POSIX.1-2017, 2.4.3) and
/// then hands over to the handler installed before it, such as the one that prints a backtrace.
enum CrashRecovery {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT]

    /// The descriptor of the terminal to restore; -1 if its modes are unchanged.
    private static let descriptor = Atomic<CInt>(-1)
    /// The addresses of the modes to restore and of the earlier handlers, by signal. They stay allocated, because a
    /// crash can happen at any time.
    private static let modes = Atomic<UInt>(UInt(bitPattern: UnsafeMutablePointer<termios>.allocate(capacity: 1)))
    private static let earlier = Atomic<UInt>(0)
    /// The bytes that leave the screen, their number, and the descriptor that they are written to.
    private static let farewell = Atomic<UInt>(
        UInt(bitPattern: UnsafeMutablePointer<UInt8>.allocate(capacity: longestFarewell)))
    private static let farewellCount = Atomic<Int>(0)
    private static let output = Atomic<CInt>(-1)
    private static let longestFarewell = 256

    /// Saves the modes to restore; the first call installs the signal handlers.
    /// - Parameter leaving: the bytes to write to `output` before; at most 256.
    static func arm(_ terminal: CInt, _ found: termios, leaving: [UInt8] = [], on output: CInt = -1) {
        UnsafeMutablePointer<termios>(bitPattern: modes.load(ordering: .relaxed))?.initialize(to: found)
        let bytes = leaving.prefix(longestFarewell)
        UnsafeMutablePointer<UInt8>(bitPattern: farewell.load(ordering: .relaxed))?
            .initialize(from: Array(bytes), count: bytes.count)
        farewellCount.store(bytes.count, ordering: .relaxed)
        self.output.store(output, ordering: .relaxed)
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
        if terminal >= 0, let bytes = UnsafeRawPointer(bitPattern: farewell.load(ordering: .relaxed)) {
            _ = write(output.load(ordering: .relaxed), bytes, farewellCount.load(ordering: .relaxed))
        }
        if terminal >= 0, let modes = UnsafePointer<termios>(bitPattern: modes.load(ordering: .relaxed)) {
            tcsetattr(terminal, TCSANOW, modes)
        }
        if let handlers = UnsafePointer<sigaction>(bitPattern: earlier.load(ordering: .relaxed)) {
            sigaction(signal, handlers + Int(signal), nil)
        }
        // The faulting instruction runs again after the return; a signal from a process must be raised again.
        if let details, details.pointee.si_code <= 0 { raise(signal) }
    }
}
