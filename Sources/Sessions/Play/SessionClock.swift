// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import TerminalInterface

/// The ticks of a session: only on demand, so that a paused session sleeps.
final class SessionClock: Sendable {
    /// The interval of ticks of a session that shows its status.
    static let interval = Duration.milliseconds(200)
    /// Longer than the interval at which a reporter writes, so that the last state of a change is shown.
    private static let settling = Duration.milliseconds(1100)

    private struct Changes {
        var isWaiting = false
        var hasMore = false
    }

    private let tick: @Sendable () -> Void
    /// The time of the next tick on demand; `nil` if none is due.
    private let nextTick = Mutex<ContinuousClock.Instant?>(nil)
    private let changes = Mutex(Changes())

    init(_ tick: @escaping @Sendable () -> Void) { self.tick = tick }

    /// Sends a tick after the interval, unless one is due before. It replaces one that is due later.
    func tickSoon(after interval: Duration = interval) {
        let time = ContinuousClock.now + interval
        let isFirst = nextTick.withLock { next in
            guard next.map({ time < $0 }) ?? true else { return false }
            next = time
            return true
        }
        if isFirst { Task { [self] in await wait(until: time) } }
    }

    private func wait(until time: ContinuousClock.Instant) async {
        try? await Task.sleep(until: time, clock: .continuous)
        let isDue = nextTick.withLock { next in
            guard next == time else { return false }
            next = nil
            return true
        }
        if isDue { tick() }
    }

    /// Sends a tick when a change of a resting session has settled. A change during the wait gets another tick: the
    /// first one may come too early for its line.
    func tickOnce() {
        let isFirst = changes.withLock { changes in
            guard changes.isWaiting else {
                changes.isWaiting = true
                return true
            }
            changes.hasMore = true
            return false
        }
        if isFirst { Task { [self] in await settle() } }
    }

    private func settle() async {
        repeat {
            try? await Task.sleep(for: Self.settling)
            tick()
        } while changes.withLock { changes in
            changes.isWaiting = changes.hasMore
            changes.hasMore = false
            return changes.isWaiting
        }
    }
}
