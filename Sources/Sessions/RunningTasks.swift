// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The tasks of an object that have not ended. An ended task is forgotten, because it keeps the memory of its stack.
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var started = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.tasks.count } }

    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.started += 1
            let number = state.started
            state.tasks[number] = Task { [self] in
                await body()
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    func cancel() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }
}
