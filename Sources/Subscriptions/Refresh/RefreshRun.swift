// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// One running refresh. It performs the actions of its queue on the thread that delivered the event.
final class RefreshRun: Sendable {
    private struct State {
        var queue: RefreshQueue
        var intakes: [Int: FeedResponseReceiver] = [:]
        var alarm: (time: Duration, task: Task<Void, Never>)?
        var isStopped = false
    }

    private let refresher: FeedRefresher
    private let orders: [RefreshOrder]
    private let send: AsyncStream<RefreshReport>.Continuation
    private let elapsed: @Sendable () -> Duration
    /// Sleeps until a time of `elapsed`, however late the sleep begins.
    private let sleep: @Sendable (Duration) async throws -> Void
    private let backlog = ParseBacklog()
    private let state: Mutex<State>

    init(
        _ refresher: FeedRefresher, _ orders: [RefreshOrder], within time: Duration,
        _ send: AsyncStream<RefreshReport>.Continuation
    ) {
        self.refresher = refresher
        self.orders = orders
        self.send = send
        (elapsed, sleep) = Self.timer(refresher.clock)
        state = Mutex(State(queue: RefreshQueue(orders, deadline: time, limits: refresher.limits)))
    }

    func handle(_ event: RefreshQueue.Event) {
        let (work, isDone) = state.withLock { state -> ([() -> Void], Bool) in
            guard !state.isStopped else { return ([], false) }
            let work = state.queue.handle(event, at: elapsed()).map { perform($0, &state) }
            setAlarm(&state)
            return (work, state.queue.isDone)
        }
        // Performs the actions outside the lock, because a receiver may respond immediately on the same thread.
        for work in work { work() }
        if isDone { send.finish() }
    }

    /// Cancels the running orders; no more reports are sent.
    func stop() {
        let intakes = state.withLock { state in
            state.isStopped = true
            state.alarm?.task.cancel()
            defer { state.intakes = [:] }
            return state.intakes.values.map(\.self)
        }
        for intake in intakes { intake.cancel() }
    }
}

extension RefreshRun {
    /// - Returns: the part of the action to perform outside the lock.
    private func perform(_ action: RefreshQueue.Action, _ state: inout State) -> () -> Void {
        switch action {
        case .start(let order):
            let intake = intake(for: order)
            state.intakes[order] = intake
            return { [orders] in intake.send(orders[order].request) }
        case .cancel(let order):
            let intake = state.intakes[order]
            return { intake?.cancel() }
        case .report(let order, let outcome):
            state.intakes[order] = nil
            send.yield(RefreshReport(order: orders[order], outcome: outcome))
            return {}
        }
    }

    private func intake(for order: Int) -> FeedResponseReceiver {
        FeedResponseReceiver(
            orders[order], transport: refresher.transport, room: backlog, makeSink: refresher.makeSink
        ) { self.handle(.ended(order, $0)) }
    }

    private func setAlarm(_ state: inout State) {
        let time = state.queue.wakeTime
        guard state.alarm?.time != time else { return }
        state.alarm?.task.cancel()
        state.alarm = time.map { time in
            (time, Task { if (try? await sleep(time)) != nil { self.handle(.tick) } })
        }
    }

    private static func timer<C: Clock>(
        _ clock: C
    ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) where C.Duration == Duration {
        let start = clock.now
        return (
            { start.duration(to: clock.now) },
            { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        )
    }
}
