// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Synchronization

/// The numbers of the items of all players of a process. No two items have the same number, but an item that moves to
/// another player keeps its number.
final class ItemNumbers: Sendable {
    private struct State {
        var next: PlaybackItem.ID = 0
        /// The number of players before the present one.
        var players = 0
        /// The targets that name the items of the present player.
        var targets: [PlaybackItem.ID: String] = [:]
        /// The items that have a number, but that the present player does not have yet.
        var coming: [PlaybackItem.ID] = []
        /// The numbers that the present player has not taken yet for targets with which it continues, in playing order.
        var kept: [(target: String, number: PlaybackItem.ID)] = []

        mutating func endPlayer() {
            players += 1
            (targets, coming) = ([:], [])
        }
    }

    private let state = Mutex(State())

    /// The numbers for the items of the present player.
    func present() -> OfPlayer { OfPlayer(numbers: self, player: state.withLock { $0.players }) }

    /// Keeps numbers of the present player, which has stopped, for the next one, which continues.
    /// - Parameter items: The items that the player had, in playing order. Those that it did not have yet follow them.
    func keep(_ items: [PlaybackItem.ID]) {
        state.withLock { state in
            let numbers = items + state.coming.filter { !items.contains($0) }
            let present = numbers.compactMap { number in state.targets[number].map { (target: $0, number: number) } }
            state.kept = present + state.kept
            state.endPlayer()
        }
    }

    /// Forgets the items of a player that no other one follows.
    func forget() {
        state.withLock { state in
            state.kept = []
            state.endPlayer()
        }
    }

    /// The numbers for the items of one player.
    struct OfPlayer: Sendable {
        fileprivate let numbers: ItemNumbers
        fileprivate let player: Int

        /// Returns the kept number of a target, or a new one.
        /// - Returns: `nil` if the player has stopped, because another one may take the number.
        func take(for target: String) -> PlaybackItem.ID? {
            numbers.state.withLock { state in
                guard state.players == player else { return nil }
                let number: PlaybackItem.ID
                if let index = state.kept.firstIndex(where: { $0.target == target }) {
                    number = state.kept.remove(at: index).number
                } else {
                    number = state.next
                    state.next &+= 1
                }
                state.targets[number] = target
                state.coming.append(number)
                return number
            }
        }

        /// Notes that the player has the item.
        func place(_ number: PlaybackItem.ID) {
            numbers.state.withLock { state in
                if state.players == player { state.coming.removeAll { $0 == number } }
            }
        }
    }
}
