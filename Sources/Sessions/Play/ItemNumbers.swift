// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Synchronization

/// The numbers of the items of all players of a process. No two items have the same number, but an item that moves to
/// another player keeps its number.
final class ItemNumbers: Sendable {
    /// An item, and the target that names it.
    struct Entry: Sendable {
        let target: String
        let number: PlaybackItem.ID
    }

    private struct State {
        var next: PlaybackItem.ID = 0
        var kept: [Entry] = []
    }

    private let state = Mutex(State())

    /// Keeps the numbers of items that another player continues with, in playing order, and forgets those that were
    /// kept before.
    func keep(_ entries: [Entry]) { state.withLock { $0.kept = entries } }

    /// Returns the kept number of a target, or a new one.
    func take(for target: String) -> PlaybackItem.ID {
        state.withLock { state in
            if let index = state.kept.firstIndex(where: { $0.target == target }) {
                return state.kept.remove(at: index).number
            }
            defer { state.next &+= 1 }
            return state.next
        }
    }
}
