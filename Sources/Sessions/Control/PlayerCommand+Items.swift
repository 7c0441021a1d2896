// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import Media
import Playback

extension PlayerCommand {
    /// True if the command names an item by its position.
    var hasPosition: Bool {
        switch self {
        case .remove(.position), .move(.position, _): true
        default: false
        }
    }

    /// Returns the command whose positions are those among the items of a client, in the order of the client.
    /// - Parameter playlist: the playlist of the player; `nil` without a player.
    /// - Throws: `missing` if no item has the position, or if the playlist does not have the item.
    func counting(
        among items: [PlaybackItem.ID], on playlist: PlaybackQueue?
    ) throws(ControlError) -> PlayerCommand {
        var order = items
        func remove(at place: Int) throws(ControlError) -> PlaybackItem.ID {
            // The playlist may lack an item that was added a moment ago, but not one that was removed.
            if order.indices.contains(place), playlist?.hasRemoved(order[place]) != true {
                return order.remove(at: place)
            }
            throw ControlError(MediaFailure(.missing, "the playlist has no item #\(place + 1)"))
        }
        switch self {
        case .remove(.position(let place)): return .remove(.id(try remove(at: place)))
        case .move(.position(let place), let target):
            let item = try remove(at: place)
            order.insert(item, at: min(max(0, target), order.count))
            return .arrange(order)
        default: return self
        }
    }
}
