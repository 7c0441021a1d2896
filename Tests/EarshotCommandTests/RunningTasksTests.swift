// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

@testable import Sessions

@Suite("Tasks of an object")
struct RunningTasksTests {
    @Test("A task that has ended is forgotten")
    func ended() async {
        let tasks = RunningTasks()
        for _ in 0..<100 { tasks.start {} }
        while tasks.count > 0 { await Task.yield() }
    }

    @Test("Cancelling reaches every task that still runs")
    func cancelled() async {
        let tasks = RunningTasks()
        let (endings, send) = AsyncStream.makeStream(of: Bool.self)
        for _ in 0..<3 {
            tasks.start {
                while !Task.isCancelled { await Task.yield() }
                send.yield(true)
            }
        }
        tasks.cancel()
        var count = 0
        for await _ in endings {
            count += 1
            if count == 3 { break }
        }
        #expect(count == 3)
    }

    @Test("Finishing waits for the tasks")
    func finished() async {
        let tasks = RunningTasks()
        let ended = Mutex(0)
        for _ in 0..<3 {
            tasks.start {
                for _ in 0..<100 { await Task.yield() }
                ended.withLock { $0 += 1 }
            }
        }
        await tasks.finish(atMost: .seconds(3600))
        let count = ended.withLock { $0 }
        #expect(count == 3)
    }

    @Test("Finishing cancels the tasks that take longer")
    func limited() async {
        let tasks = RunningTasks()
        tasks.start { while !Task.isCancelled { await Task.yield() } }
        await tasks.finish(atMost: .zero)
    }

    @Test("A task that starts after the cancellation is cancelled")
    func startedLate() async {
        let tasks = RunningTasks()
        tasks.cancel()
        let (states, send) = AsyncStream.makeStream(of: Bool.self)
        tasks.start {
            // Waits until the start has ended.
            _ = tasks.count
            send.yield(Task.isCancelled)
        }
        var isCancelled: Bool?
        for await state in states {
            isCancelled = state
            break
        }
        #expect(isCancelled == true)
    }
}
