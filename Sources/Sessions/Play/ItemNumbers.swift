// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Synchronization

/// The numbers of the items of all players of a process. No two items have the same number, but an item that moves to
/// another player keeps its number.
final class ItemNumbers: Sendable {
    private struct State {
        var next: PlaybackItem.ID = 0
        /// The targets that name the items of the present player.
        var targets: [PlaybackItem.ID: String] = [:]
        /// The items that the present player continues with and does not have yet, in playing order.
        var kept: [(target: String, number: PlaybackItem.ID)] = []
    }

    private let state = Mutex(State())

    /// Keeps the numbers of items that another player continues with, in playing order. Those that the present player
    /// was to continue with, and did not have yet, follow them.
    func keep(_ items: [PlaybackItem.ID]) {
        state.withLock { state in
            let targets = state.targets
            let present = items.compactMap { number in targets[number].map { (target: $0, number: number) } }
            (state.kept, state.targets) = (present + state.kept, [:])
        }
    }

    /// Forgets the items of a player that no other one follows.
    func forget() { state.withLock { ($0.kept, $0.targets) = ([], [:]) } }

    /// Returns the kept number of a target, or a new one.
    func take(for target: String) -> PlaybackItem.ID {
        state.withLock { state in
            let number: PlaybackItem.ID
            if let index = state.kept.firstIndex(where: { $0.target == target }) {
                number = state.kept.remove(at: index).number
            } else {
                number = state.next
                state.next &+= 1
            }
            state.targets[number] = target
            return number
        }
    }
}
