// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The outcome of one request, for the one task that waits for it; either may arrive first.
final class AwaitedOutcome<Response: Sendable>: Sendable {
    typealias Outcome = Result<Response, MessageFailure>

    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case completed(Outcome)
    }

    private let state = Mutex(State.open)

    /// Sets the outcome. Call this once.
    func complete(_ outcome: Outcome) {
        let task = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            defer { state = .completed(outcome) }
            guard case .awaited(let task) = state else { return nil }
            return task
        }
        task?.resume(returning: outcome)
    }

    /// Suspends until the outcome is set, and returns it. Call this once.
    func outcome() async -> Outcome {
        await withCheckedContinuation { task in
            let settled = state.withLock { state -> Outcome? in
                if case .completed(let outcome) = state { return outcome }
                state = .awaited(task)
                return nil
            }
            if let settled { task.resume(returning: settled) }
        }
    }
}
