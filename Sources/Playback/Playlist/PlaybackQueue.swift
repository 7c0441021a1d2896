// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The playlist: the items and their order. It may still grow while its first items are played.
public struct PlaybackQueue: Sendable, Equatable {
    /// The position of an item in the order. A removed item keeps its slot, so that its successor is still known.
    private struct Slot: Sendable, Equatable {
        var item: PlaybackItem
        var isRemoved = false
        /// The place where the listener left the item, if playback returns there.
        var place: TimeTarget?
        /// The item to play the next time.
        var played: PlaybackItem { place.map(item.returning) ?? item }
    }

    private var slots: [Slot] = []
    /// True if no more items will be appended.
    public private(set) var isClosed = false
    public var repeatMode: RepeatMode

    public init(repeatMode: RepeatMode = .off) { self.repeatMode = repeatMode }

    /// The successor of an item.
    public enum Successor: Sendable, Equatable {
        case item(PlaybackItem)
        /// The playlist is still growing.
        case notYet
        case none
    }

    public var items: [PlaybackItem] { slots.filter { !$0.isRemoved }.map(\.item) }
    /// The number of items on the playlist.
    public var count: Int { slots.count { !$0.isRemoved } }

    // MARK: Changes

    public mutating func append(_ item: PlaybackItem) { slots.append(Slot(item: item)) }

    /// Inserts an item after `id`; at the end if it is not on the list.
    public mutating func insert(_ item: PlaybackItem, after id: PlaybackItem.ID?) {
        slots.insert(Slot(item: item), at: id.flatMap(index).map { $0 + 1 } ?? slots.count)
    }

    /// Inserts an item before `id`, which follows it from `place`; at the end if `id` is not on the list.
    mutating func insert(_ item: PlaybackItem, interrupting id: PlaybackItem.ID, at place: TimeTarget?) {
        guard let index = index(of: id) else { return append(item) }
        if let place { slots[index].place = place }
        slots.insert(Slot(item: item), at: index)
    }

    /// Marks the playlist as complete: no more items follow.
    public mutating func close() { isClosed = true }

    /// Notes that an item was played to its end.
    mutating func finished(_ id: PlaybackItem.ID) {
        guard let index = index(of: id) else { return }
        slots[index].item = slots[index].item.startingOver
    }

    /// Takes back that an item was played to its end.
    mutating func restore(_ item: PlaybackItem) {
        if let index = index(of: item.id) { slots[index].item = item }
    }

    /// Notes that an item plays.
    mutating func started(_ id: PlaybackItem.ID) {
        if let index = index(of: id) { slots[index].place = nil }
    }

    /// Notes that the listener left an item for another one.
    mutating func left(_ id: PlaybackItem.ID, at place: TimeTarget) {
        if let index = index(of: id), slots[index].item.keepsPlace { slots[index].place = place }
    }

    /// Notes that playback goes back to an item before this one, which had begun at another place than listed.
    mutating func returned(from item: PlaybackItem, begunAt place: TimeTarget) {
        if let index = index(of: item.id), slots[index].item.start != item.start { slots[index].place = place }
    }

    /// Gives items other settings for the next time that they are played.
    mutating func apply(_ settings: [PlaybackItem.ID: ItemSettings]) {
        for index in slots.indices {
            let item = slots[index].item
            if let changed = settings[item.id] { slots[index].item = item.applying(changed, hasBegun: false) }
        }
    }

    /// Removes the item; no effect if it is not on the list.
    public mutating func remove(_ item: ItemChoice) {
        guard let id = id(of: item), let index = index(of: id) else { return }
        slots[index].isRemoved = true
    }

    /// Removes all items after `id`; all items if `id` is `nil`.
    public mutating func removeAll(after id: PlaybackItem.ID?) {
        let first = id.map { index(of: $0).map { $0 + 1 } ?? slots.count } ?? 0
        for index in slots.indices.dropFirst(first) { slots[index].isRemoved = true }
    }

    /// Moves the item to `place`, counted from 0; any value beyond the last position means the last. No effect if the
    /// item is not on the list.
    public mutating func move(_ item: ItemChoice, to place: Int) {
        guard let id = id(of: item), contains(id), let index = index(of: id) else { return }
        let slot = slots.remove(at: index)
        let present = slots.indices.filter { !slots[$0].isRemoved }
        let target = present.dropFirst(max(0, place)).first ?? present.last.map { $0 + 1 } ?? slots.count
        slots.insert(slot, at: target)
    }

    /// Brings items into this order: they exchange their positions. Items that are not on the list are ignored.
    public mutating func arrange(_ items: [PlaybackItem.ID]) {
        let indices = items.filter(contains).compactMap(index)
        let wanted = indices.map { slots[$0] }
        for (place, slot) in zip(indices.sorted(), wanted) { slots[place] = slot }
    }

    // MARK: Order

    /// Returns the item to play after `id` has ended; the first item after `nil`.
    /// - Parameter hasFailed: true if the item could not be played, so that it is not repeated.
    public func successor(of id: PlaybackItem.ID?, hasFailed: Bool = false) -> Successor {
        if repeatMode == .one, !hasFailed, let id, contains(id), let item = item(id) { return .item(item) }
        return next(after: id)
    }

    /// Returns the item that the `next` command plays; ignores the repetition of a single item.
    public func next(after id: PlaybackItem.ID?) -> Successor {
        let start = id.flatMap(index).map { $0 + 1 } ?? 0
        if let slot = slots.dropFirst(start).first(where: { !$0.isRemoved }) { return .item(slot.played) }
        guard isClosed else { return .notYet }
        guard repeatMode == .all, let first = slots.first(where: { !$0.isRemoved }) else { return .none }
        return .item(first.played)
    }

    /// Returns the item that the `previous` command plays.
    public func predecessor(of id: PlaybackItem.ID) -> PlaybackItem? {
        guard let index = index(of: id) else { return nil }
        if let slot = slots[..<index].last(where: { !$0.isRemoved }) { return slot.played }
        return repeatMode == .all && isClosed ? slots.last { !$0.isRemoved }?.played : nil
    }

    /// Returns the items that follow `id`, even if it was removed; all items if it was never on the list.
    /// - Parameter wraps: true if the items before it follow at the end.
    public func items(after id: PlaybackItem.ID, wraps: Bool) -> [PlaybackItem] {
        let place = index(of: id)
        let following = slots.dropFirst(place.map { $0 + 1 } ?? 0)
        let earlier = wraps ? slots.prefix(place ?? 0) : []
        return (following + earlier).filter { !$0.isRemoved }.map(\.item)
    }

    /// Returns the item `id`, even if it was removed.
    public func item(_ id: PlaybackItem.ID) -> PlaybackItem? { index(of: id).map { slots[$0].item } }

    public func contains(_ id: PlaybackItem.ID) -> Bool { position(of: id) != nil }

    /// Returns the position of `id`, from 0; `nil` if it is not on the list.
    public func position(of id: PlaybackItem.ID) -> Int? {
        guard let index = index(of: id), !slots[index].isRemoved else { return nil }
        return slots[..<index].count { !$0.isRemoved }
    }

    /// Returns the item at `place`, counted from 0; `nil` if the position is out of range.
    public func item(at place: Int) -> PlaybackItem? { place < 0 ? nil : items.dropFirst(place).first }

    /// Returns true if the item was on the list and has been removed.
    public func hasRemoved(_ id: PlaybackItem.ID) -> Bool { index(of: id).map { slots[$0].isRemoved } ?? false }

    public func contains(_ choice: ItemChoice) -> Bool { id(of: choice).map(contains) ?? false }

    private func id(of choice: ItemChoice) -> PlaybackItem.ID? {
        switch choice {
        case .id(let id): id
        case .position(let place): item(at: place)?.id
        }
    }

    private func index(of id: PlaybackItem.ID) -> Int? { slots.firstIndex { $0.item.id == id } }
}

/// The rule for the item after one that was played to its end.
public enum RepeatMode: String, Sendable, Equatable, CaseIterable {
    case off
    /// The same item repeats.
    case one
    /// The last item of a closed playlist is followed by the first.
    case all

    /// The next mode: off → one → all → off.
    public var next: RepeatMode {
        switch self {
        case .off: .one
        case .one: .all
        case .all: .off
        }
    }
}
