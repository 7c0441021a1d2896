// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A thread of its own, for work that may wait for as long as it likes, which nothing on the cooperative pool may.
///
/// All signals but those of a crash are blocked in it: another thread waits for them, and a connection that breaks
/// while TLS writes to it must not raise SIGPIPE. It is joined or detached exactly once.
public struct WorkerThread: Sendable {
    private let thread: pthread_t

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that runs `body` and ends.
    /// - Returns: `nil` where the system has no thread left.
    public static func start(_ body: @escaping @Sendable () -> Void) -> WorkerThread? {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let result = pthread_create(&thread, nil, { context in
            guard let context else { return nil }
            var signals = sigset_t()
            sigfillset(&signals)
            // The system ends a process without asking its handler when a fault happens while its signal is blocked.
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

    /// Waits for the thread to end; on the thread itself, where that cannot be, lets it go instead.
    public func join() {
        if pthread_equal(thread, pthread_self()) != 0 { return detach() }
        pthread_join(thread, nil)
    }

    /// Lets it go: it ends by itself.
    public func detach() { pthread_detach(thread) }
}
