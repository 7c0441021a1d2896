// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// Lets one render call at a time into a source. A second one finds it taken: a second device's thread, or the same
/// thread where a cycle of sources leads back.
struct RenderTurn: ~Copyable, Sendable {
    private let isTaken = Atomic<Bool>(false)

    /// - Returns: false where another call is inside.
    @_noLocks @_noAllocation
    func begin() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

    @_noLocks @_noAllocation
    func end() { isTaken.store(false, ordering: .releasing) }
}
