// SPDX-License-Identifier: GPL-3.0-or-later
import ControlSocket
import Media
import Synchronization

/// The start of a process that owns playback.
enum OwnerStart {
    /// A busy machine needs seconds.
    private static let limit = Duration.seconds(20)
    private static let interval = Duration.milliseconds(20)

    /// Starts a process that owns playback, and waits until it can be reached.
    /// - Parameters:
    ///   - arguments: the arguments after `earshot serve`.
    ///   - isReached: tries to reach the owner.
    /// - Returns: the reason of a failure.
    static func run(_ arguments: [String], isReached: () -> Bool) -> String? {
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(["serve"] + arguments, .detached)
        } catch {
            return error.phrase
        }
        let ending = Ending()
        // Collects the end of the child, which otherwise stays in the table of processes.
        WorkerThread.start { ending.set(child.wait()) }?.detach()
        let deadline = MonotonicTime.now + limit
        let pause = WakeSignal()
        while MonotonicTime.now < deadline, ending.status == nil {
            if isReached() { return nil }
            pause.wait(atMost: interval)
        }
        // The child ends if another owner was faster.
        if isReached() { return nil }
        return ending.status.map { "it ended with the exit status \($0)" } ?? "it does not answer"
    }

    /// The exit status of the child; `nil` while it runs.
    private final class Ending: Sendable {
        private let value = Mutex<Int32?>(nil)

        var status: Int32? { value.withLock { $0 } }
        func set(_ status: Int32) { value.withLock { $0 = status } }
    }
}
