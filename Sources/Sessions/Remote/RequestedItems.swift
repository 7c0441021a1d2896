// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback

/// The items that a client asked for, and the end of the last one. A pure value.
struct RequestedItems: Sendable {
    /// A command of the client about an item, which the owner has not answered yet.
    private struct Edit: Sendable {
        /// The number of the line.
        let line: Int
        let item: Int64
        /// The new position of the item; `nil` removes it.
        let place: Int?

        func changed(_ order: [Int64]) -> [Int64] {
            var changed = order.filter { $0 != item }
            if let place { changed.insert(item, at: min(max(0, place), changed.count)) }
            return changed
        }
    }

    /// The items in playing order after the answered commands; `nil` if the client follows everything.
    private var order: [Int64]?
    private var edits: [Edit] = []
    /// The items that play, or have not been played to their ends yet; `nil` if the client follows everything.
    private var left: Set<Int64>?
    private var repeatMode: RepeatMode
    private var hasBegun = false
    /// The item that an item of the client interrupted, and that follows.
    private(set) var interrupted: Int64?
    /// True if the owner ends, so that playback ends before the items do.
    private var isOwnerEnding = false
    /// True if nothing is left to play.
    private(set) var isOver = false

    /// - Parameters:
    ///   - items: the `id`s; empty to follow all items.
    ///   - repeatMode: the repeat mode of the owner.
    init(_ items: [Int64], _ repeatMode: RepeatMode = .off) {
        (order, self.repeatMode) = (items.isEmpty ? nil : items, repeatMode)
        left = order.map { Set($0) }
    }

    /// The items in playing order, as the next command counts them; `nil` if the client follows everything.
    var items: [Int64]? { order.map { edits.reduce($0) { $1.changed($0) } } }

    /// Returns a status with the position of its item among those of the client, and their number; without both for
    /// another item.
    func numbered(_ status: PlayerStatus) -> PlayerStatus {
        var numbered = status
        (numbered.itemNumber, numbered.itemCount) = (0, 0)
        guard let items, let place = status.item.flatMap({ items.firstIndex(of: Int64($0.id) + 1) }) else {
            return numbered
        }
        (numbered.itemNumber, numbered.itemCount) = (place + 1, items.count)
        return numbered
    }

    /// Follows a command of the client about its items, which the owner executes later.
    /// - Parameter line: the number of its line.
    mutating func edit(_ command: PlayerCommand, by line: Int) {
        guard let items else { return }
        switch command {
        case .remove(.position(let place)) where items.indices.contains(place):
            edits.append(Edit(line: line, item: items[place], place: nil))
        case .move(.position(let place), let target) where items.indices.contains(place):
            edits.append(Edit(line: line, item: items[place], place: target))
        default: break
        }
    }

    /// Follows the answer to a line. A refused command changes nothing, so that a retry names the same item.
    mutating func settle(_ line: Int, isDone: Bool) {
        guard let index = edits.firstIndex(where: { $0.line == line }) else { return }
        let edit = edits.remove(at: index)
        guard isDone else { return }
        order = order.map { edit.changed($0) }
        if edit.place == nil { end(edit.item) }
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
        // An item that repeats, or whose list repeats, plays again.
        case ("track", "end"): if let track, repeatMode == .off { end(track) }
        case ("error", _): if let track, event["continues"]?.bool != true { end(track) }
        case ("items", _): follow(event["items"]?.elements?.compactMap(\.integer) ?? [])
        case ("repeat", _): follow(repeatModeOf: event)
        case ("gap", _): follow(statusAfterGap: event["snapshot"]?["player"])
        default: break
        }
    }

    /// Follows the status after events that the client did not read.
    private mutating func follow(statusAfterGap status: JSONValue?) {
        follow(repeatModeOf: status)
        let state = status?["state"]?.string
        if state == "idle" || state == "ended" { isOver = isOver || !isOwnerEnding }
    }

    private mutating func follow(repeatModeOf status: JSONValue?) {
        repeatMode = status.flatMap { RepeatMode(status: $0) } ?? repeatMode
    }

    /// Follows a change of the items of a request that plays a list.
    private mutating func follow(_ present: [Int64]) {
        guard let order, let left, order.contains(where: present.contains) else { return }
        // A player that continues on another output does not have the items that were played before.
        let played = order.prefix { !present.contains($0) }.filter { !left.contains($0) }
        let changed = played + present
        let waiting = left.intersection(changed).union(Set(present).subtracting(order))
        (self.order, self.left) = (changed, waiting)
        if waiting.isEmpty { isOver = true }
    }

    private mutating func begin(_ track: Int64?, interrupting other: Int64?) {
        guard let track, let order, let left else { return }
        if order.contains(track) {
            hasBegun = true
            self.left?.insert(track)
            if let other, !order.contains(other) { interrupted = other }
        } else if let other, left.contains(other) {
            // The item follows again.
            hasBegun = false
        } else if hasBegun, repeatMode != .all {
            // The listener went on to another item, and no item of the client follows.
            isOver = true
        }
    }

    /// Notes that an item was played, has failed or was removed.
    mutating func end(_ track: Int64) {
        guard left?.remove(track) != nil else { return }
        if left?.isEmpty == true { isOver = true }
    }
}
