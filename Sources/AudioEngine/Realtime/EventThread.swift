// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// An object whose realtime side leaves events in a queue for another thread.
public protocol EventSource: AnyObject, Sendable {
    /// Removes and delivers all queued events. One thread at a time calls it, never the realtime thread.
    func drainEvents()
}

/// A thread that delivers events from the realtime thread: it polls every attached source a hundred times a second.
///
/// The thread polls, because waking a thread is a system call and the realtime thread makes none. An offline renderer
/// calls `drain` after each slice instead, so that nothing depends on the clock.
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
    /// A lock that is held while sources are drained.
    private let draining = Mutex(())
    /// The thread that drains now, so that a handler on it that drains again does not wait for itself.
    private let drainer = Atomic<UInt>(0)
    private let wake = WakeSignal()

    /// - Parameter interval: the polling interval; `nil` delivers events only when `drain` is called.
    public init(every interval: Duration? = .milliseconds(10)) {
        self.interval = interval ?? .zero
        runs = interval != nil
    }

    deinit { close() }

    /// Attaches a source, whose events are delivered from now on. The thread does not keep it alive.
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

    /// Delivers all queued events on the calling thread, and returns afterwards. Within a handler it does nothing.
    public func drain() {
        let me = UInt(pthread_self())
        guard drainer.load(ordering: .relaxed) != me else { return }
        draining.withLock { _ in
            drainer.store(me, ordering: .relaxed)
            for source in state.withLock({ $0.sources }) { source.object?.drainEvents() }
            drainer.store(0, ordering: .relaxed)
        }
    }

    /// Delivers the remaining events and ends the thread. Within a handler it only ends the thread, without waiting
    /// for it.
    public func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            defer { state.thread = nil }
            return state.thread
        }
        wake.signal()
        // The thread may be waiting for its turn to drain, which comes only after the calling handler has returned.
        guard drainer.load(ordering: .relaxed) != UInt(pthread_self()) else {
            thread?.detach()
            return
        }
        thread?.join()
        drain()
    }
}
