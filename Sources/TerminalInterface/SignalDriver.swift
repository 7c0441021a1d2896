// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// What a session must know of the signals; the rest is done by then.
public enum SessionSignal: Sendable, Equatable {
    /// End in good order with this status.
    case stop(ExitStatus)
    /// The terminal was resized, or shows something else.
    case redraw
}

/// Performs `SignalPolicy` and hands on what concerns the session.
public enum SignalDriver {
    /// Starts to watch. `SignalWatcher.block` must have been called before any other thread was made.
    /// - Parameter takesKeys: whether the terminal is taken again after a stop.
    public static func signals(takesKeys: Bool) -> AsyncStream<SessionSignal> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionSignal.self)
        let policy = SharedPolicy()
        SignalWatcher.watch { signal in
            for action in policy.value.withLock({ $0.handle(signal) }) {
                perform(action, takesKeys: takesKeys, continuation)
            }
        }
        return stream
    }

    private static func perform(
        _ action: SignalPolicy.Action, takesKeys: Bool, _ continuation: AsyncStream<SessionSignal>.Continuation
    ) {
        switch action {
        case .stop(let status): continuation.yield(.stop(status))
        case .exitAtOnce(let status): SignalWatcher.exitAtOnce(status)
        case .restoreTerminal: Terminal.restore()
        case .suspendProcess: SignalWatcher.suspendProcess()
        case .takeTerminal: if takesKeys { Terminal.readKeys() }
        case .redraw: continuation.yield(.redraw)
        }
    }

    private final class SharedPolicy: Sendable {
        let value = Mutex(SignalPolicy())
    }
}
