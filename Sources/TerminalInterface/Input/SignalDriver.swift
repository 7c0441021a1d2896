// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A signal that concerns the session; `SignalDriver` handles the others.
public enum SessionSignal: Sendable, Equatable {
    /// Ends the session cleanly with this status.
    case stop(ExitStatus)
    /// The terminal was resized or changed its contents.
    case redraw
}

/// Performs the actions of `SignalPolicy` and passes session signals on.
public enum SignalDriver {
    /// Starts watching signals. Call `SignalWatcher.block` before creating any other thread.
    /// - Parameter takesKeys: true to read keys again after the process was stopped.
    public static func signals(takesKeys: Bool) -> AsyncStream<SessionSignal> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionSignal.self)
        watch(takingTerminal: { if takesKeys { Terminal.readKeys() } }, { continuation.yield($0) })
        return stream
    }

    /// Starts watching signals, as `signals` does.
    /// - Parameters:
    ///   - take: uses the terminal again after the process was stopped.
    ///   - receive: gets the signals of the session, on the thread of the signals.
    public static func watch(
        takingTerminal take: @escaping @Sendable () -> Void, _ receive: @escaping @Sendable (SessionSignal) -> Void
    ) {
        let policy = SharedPolicy()
        SignalWatcher.watch { signal in
            for action in policy.value.withLock({ $0.handle(signal) }) { perform(action, take, receive) }
        }
    }

    private static func perform(
        _ action: SignalPolicy.Action, _ take: () -> Void, _ receive: (SessionSignal) -> Void
    ) {
        switch action {
        case .stop(let status): receive(.stop(status))
        case .exitAtOnce(let status): SignalWatcher.exitAtOnce(status)
        case .restoreTerminal: Terminal.restore()
        case .suspendProcess: SignalWatcher.suspendProcess()
        case .takeTerminal: take()
        case .redraw: receive(.redraw)
        }
    }

    private final class SharedPolicy: Sendable {
        let value = Mutex(SignalPolicy())
    }
}
