// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

extension PlayerCommand {
    /// True if the command names an item by its position.
    var hasPosition: Bool {
        switch self {
        case .remove(.position), .move(.position, _): true
        default: false
        }
    }

    /// Returns the command whose positions on the playlist are those among some items.
    func counting(among items: [PlaybackItem.ID]) -> PlayerCommand {
        switch self {
        case .remove(.position(let place)): .remove(.place(place, among: items))
        case .move(.position(let place), let target): .move(.place(place, among: items), to: target)
        default: self
        }
    }
}
