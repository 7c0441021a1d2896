// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch

/// A thread of their own for tests that wait: the threads that all tests share are few, and whoever waits there holds
/// up the others, as they would hold up him.
public final class ThreadLane: TaskExecutor {
    private let queue: DispatchQueue

    public init(_ name: String) { queue = DispatchQueue(label: name) }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
