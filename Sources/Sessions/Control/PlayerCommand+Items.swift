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

    /// Returns the command whose positions on the playlist are those that it has among some items.
    /// - Throws: `missing` if no item has the position.
    func counting(among items: [PlaybackItem.ID], of playlist: PlaybackQueue) throws(ControlError) -> PlayerCommand {
        var order = playlist.items.map(\.id).filter(items.contains)
        func check(_ place: Int) throws(ControlError) {
            guard !order.indices.contains(place) else { return }
            throw ControlError(MediaFailure(.missing, "the playlist has no item #\(place + 1)"))
        }
        switch self {
        case .remove(.position(let place)):
            try check(place)
            return .remove(.id(order[place]))
        case .move(.position(let place), let target):
            try check(place)
            let item = order.remove(at: place)
            order.insert(item, at: min(target, order.count))
            return .arrange(order)
        default: return self
        }
    }
}
