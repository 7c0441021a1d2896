// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch

/// A separate thread for tests that block: the shared test threads are few, so that blocking tests would delay each
/// other and all other tests.
public final class ThreadLane: TaskExecutor {
    private let queue: DispatchQueue

    public init(_ name: String) { queue = DispatchQueue(label: name) }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
