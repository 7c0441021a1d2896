// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback

/// The items that a client asked for, and the end of the last one. A pure value.
struct RequestedItems: Sendable {
    /// The items in playing order; `nil` if the client follows everything.
    private(set) var items: [Int64]?
    /// The items that were not played to their ends yet; `nil` if the client follows everything.
    private var left: Set<Int64>?
    private var hasBegun = false
    /// True if the owner ends, so that playback ends before the items do.
    private var isOwnerEnding = false
    /// True if nothing is left to play.
    private(set) var isOver = false

    /// - Parameter items: the `id`s; empty to follow all items.
    init(_ items: [Int64]) {
        self.items = items.isEmpty ? nil : items
        left = self.items.map { Set($0) }
    }

    /// Returns a status with the position of its item among those of the client, and their number.
    func numbered(_ status: PlayerStatus) -> PlayerStatus {
        guard let items, let place = status.item.flatMap({ items.firstIndex(of: Int64($0.id) + 1) }) else {
            return status
        }
        var numbered = status
        (numbered.itemNumber, numbered.itemCount) = (place + 1, items.count)
        return numbered
    }

    /// Follows a command of the client about its items, which the owner executes later.
    /// - Returns: the item that the command removes; `nil` for none.
    mutating func edit(_ command: PlayerCommand) -> Int64? {
        guard var order = items else { return nil }
        defer { items = order }
        switch command {
        case .remove(.position(let place)) where order.indices.contains(place): return order.remove(at: place)
        case .move(.position(let place), let target) where order.indices.contains(place):
            let item = order.remove(at: place)
            order.insert(item, at: min(max(0, target), order.count))
            return nil
        default: return nil
        }
    }

    /// True if an item, or what is played in general, still concerns the client.
    func concern(_ track: Int64?) -> Bool { track.map { left?.contains($0) ?? true } ?? true }

    /// Follows an event.
    mutating func note(_ event: JSONValue) {
        let track = event["track"]?.integer
        switch (event["event"]?.string, event["phase"]?.string) {
        case ("service", _): isOwnerEnding = true
        case ("state", _) where event["state"]?.string == "idle": isOver = isOver || !isOwnerEnding
        case ("ended", _): isOver = true
        case ("track", "begin"): begin(track, interrupting: event["interrupts"]?.integer)
        case ("track", "end"), ("error", _): if let track { end(track) }
        default: break
        }
    }

    private mutating func begin(_ track: Int64?, interrupting other: Int64?) {
        guard let track, let left else { return }
        if left.contains(track) {
            hasBegun = true
        } else if let other, left.contains(other) {
            // The item follows again.
            hasBegun = false
        } else if hasBegun {
            // The listener went on to something else.
            isOver = true
        }
    }

    /// Notes that an item was played or removed.
    mutating func end(_ track: Int64) {
        guard left?.remove(track) != nil else { return }
        if left?.isEmpty == true { isOver = true }
    }
}
