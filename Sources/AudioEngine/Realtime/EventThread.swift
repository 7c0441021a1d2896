// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// Something whose realtime side leaves news in a queue, to be taken elsewhere.
public protocol EventSource: AnyObject, Sendable {
    /// Takes all that is there and tells whoever is to be told. Called by one thread at a time, never the realtime one.
    func drainEvents()
}

/// Tells, off the realtime thread, what happened on it: looks a hundred times a second after every attached source.
///
/// It looks instead of being woken, because waking a thread is a system call and the realtime thread makes none. Who
/// renders offline calls `drain` after each slice instead, and nothing depends on the clock.
public final class EventThread: Sendable {
    private struct State {
        var sources: [Source] = []
        var thread: WorkerThread?
        var isClosed = false
    }

    private struct Source: Sendable {
        weak let object: (any EventSource)?
    }

    private let interval: Duration
    private let runs: Bool
    private let state = Mutex(State())
    /// Held while sources are drained.
    private let draining = Mutex(())
    /// The thread that drains now; a handler on it that drains again need not wait for itself.
    private let drainer = Atomic<UInt>(0)
    private let wake = WakeSignal()

    /// - Parameter interval: how often it looks; `nil`: only when `drain` is called.
    public init(every interval: Duration? = .milliseconds(10)) {
        self.interval = interval ?? .zero
        runs = interval != nil
    }

    deinit { close() }

    /// From now on the source's news is told. It is not kept alive.
    public func attach(_ source: any EventSource) {
        state.withLock { state in
            state.sources.removeAll { $0.object == nil || $0.object === source }
            state.sources.append(Source(object: source))
            guard runs, !state.isClosed, state.thread == nil else { return }
            state.thread = WorkerThread.start { [weak self, wake, interval] in
                while true {
                    wake.wait(atMost: interval)
                    guard let self, !self.state.withLock({ $0.isClosed }) else { return }
                    self.drain()
                }
            }
        }
    }

    /// Takes all news there is, on the calling thread, and returns when it was told; from within a handler it does
    /// nothing.
    public func drain() {
        let me = UInt(pthread_self())
        guard drainer.load(ordering: .relaxed) != me else { return }
        draining.withLock { _ in
            drainer.store(me, ordering: .relaxed)
            for source in state.withLock({ $0.sources }) { source.object?.drainEvents() }
            drainer.store(0, ordering: .relaxed)
        }
    }

    /// Tells what is left and ends the thread; from within a handler it only ends the thread, and does not wait for it.
    public func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            defer { state.thread = nil }
            return state.thread
        }
        wake.signal()
        // It may be waiting for its turn to drain, which comes only when the handler that called has returned.
        guard drainer.load(ordering: .relaxed) != UInt(pthread_self()) else {
            thread?.detach()
            return
        }
        thread?.join()
        drain()
    }
}
