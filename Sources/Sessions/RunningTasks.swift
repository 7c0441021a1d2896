// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The tasks of an object that have not ended. An ended task is forgotten, because it keeps the memory of its stack.
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var started = 0
        var isCancelled = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.tasks.count } }

    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.started += 1
            let number = state.started
            let task = Task { [self] in
                await body()
                self.state.withLock { $0.tasks[number] = nil }
            }
            if state.isCancelled { task.cancel() }
            state.tasks[number] = task
        }
    }

    /// Waits until the tasks have ended, and cancels those that have not ended after `limit`.
    func finish(atMost limit: Duration) async {
        let running = Array(state.withLock { $0.tasks.values })
        let deadline = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            cancel()
        }
        for task in running { await task.value }
        deadline.cancel()
    }

    /// Cancels the tasks, also those that start later.
    func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
