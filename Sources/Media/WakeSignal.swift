// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// Wakes one waiting thread. Signals before the wait are kept; several signals count as one.
///
/// `signal` neither locks nor allocates and cannot block, so a device callback may call it.
public final class WakeSignal: Sendable {
    /// A pipe rather than a semaphore: `poll` waits on the monotonic clock, `sem_timedwait` on one that jumps.
    private let readEnd: CInt
    private let writeEnd: CInt
    /// True if a byte is in the pipe, or is being written: the pipe never contains more than one.
    private let pending = Atomic<Bool>(false)

    public init() {
        var ends: [CInt] = [-1, -1]
        let result = pipe(&ends)
        precondition(result == 0, "no file descriptor left for a wake signal")
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        Glibc.close(readEnd)
        Glibc.close(writeEnd)
    }

    /// The file that `poll` reports as readable after a signal, for a thread that also waits for others.
    public var descriptor: CInt { readEnd }

    /// Wakes the waiting thread, or ends the next wait immediately.
    public func signal() {
        guard !pending.exchange(true, ordering: .sequentiallyConsistent) else { return }
        var byte: UInt8 = 1
        write(writeEnd, &byte, 1)
    }

    /// Returns at the next signal, or after `limit` (rounded up to a millisecond; `nil` for no limit). The caller must
    /// then check every condition it waits for: a signal that arrives during the return is not kept.
    public func wait(atMost limit: Duration?) {
        var entry = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, limit.map(Self.milliseconds) ?? -1) > 0 else { return }
        clear()
    }

    private static func milliseconds(_ limit: Duration) -> CInt {
        let (seconds, attoseconds) = limit.components
        return CInt(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// Accepts the signal that made `descriptor` readable. The caller must then check every condition it waits for.
    public func clear() {
        var byte: UInt8 = 0
        read(readEnd, &byte, 1)
        pending.store(false, ordering: .sequentiallyConsistent)
    }
}
