// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A clock that only a test advances.
public final class ManualClock: Clock {
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public let offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let skipsWaits: Bool

    /// - Parameter skipsWaits: true if a sleep advances the clock instead of waiting for the test.
    public init(skipsWaits: Bool = false) { self.skipsWaits = skipsWaits }

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }
    /// The number of tasks that are sleeping on this clock.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Advances the time and wakes every task whose deadline has passed.
    public func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns when a task is sleeping on this clock.
    public func waitForSleeper() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        if skipsWaits {
            try Task.checkCancellation()
            return advance(by: max(.zero, now.duration(to: deadline)))
        }
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                fallAsleep(number, Sleeper(deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func fallAsleep(_ number: Int, _ sleeper: Sleeper) {
        enum Outcome { case asleep([CheckedContinuation<Void, Never>]), due, cancelled }
        let outcome = state.withLock { state -> Outcome in
            if state.cancelled.remove(number) != nil { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers[number] = sleeper
            defer { state.watchers = [] }
            return .asleep(state.watchers)
        }
        switch outcome {
        case .asleep(let watchers): for watcher in watchers { watcher.resume() }
        case .due: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let sleeper = state.sleepers.removeValue(forKey: number) else {
                state.cancelled.insert(number)
                return nil
            }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
