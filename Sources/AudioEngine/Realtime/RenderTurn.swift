// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A guard that admits one render call at a time to a source. It refuses a second call, which may come from the
/// thread of a second device, or from the same thread through a cycle of sources.
struct RenderTurn: ~Copyable, Sendable {
    private let isTaken = Atomic<Bool>(false)

    /// Enters the guard.
    /// - Returns: false if another call is inside.
    @_noLocks @_noAllocation
    func begin() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

    @_noLocks @_noAllocation
    func end() { isTaken.store(false, ordering: .releasing) }
}
