// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A dedicated thread for work that may block indefinitely, which must not run on the cooperative pool.
///
/// The thread blocks all signals except those of a crash: another thread waits for them, and a connection that breaks
/// during a TLS write must not raise SIGPIPE. The owner joins or detaches the thread exactly once.
public struct WorkerThread: Sendable {
    private let thread: pthread_t

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that runs `body` and ends.
    ///
    /// - Returns: `nil` if the system cannot create another thread.
    public static func start(_ body: @escaping @Sendable () -> Void) -> WorkerThread? {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                var signals = sigset_t()
                sigfillset(&signals)
                // If a fault occurs while its signal is blocked, the system ends the process without a handler.
                for crash in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, crash) }
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            return nil
        }
        return WorkerThread(thread: thread)
    }

    /// Waits for the thread to end. On the thread itself, where waiting is impossible, detaches it instead.
    public func join() {
        if pthread_equal(thread, pthread_self()) != 0 { return detach() }
        pthread_join(thread, nil)
    }

    /// Lets other threads run before the calling thread. It still gets some of the processor, because it may hold a
    /// lock that they need.
    public static func lowerPriority() {
        // In Linux, this is the priority of the thread alone. A failure leaves the usual priority.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    /// Detaches the thread, which releases its resources when it ends.
    public func detach() { pthread_detach(thread) }
}
