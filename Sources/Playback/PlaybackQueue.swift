// SPDX-License-Identifier: GPL-3.0-or-later

/// The playlist: what is played, in which order. It may still grow while its first items are heard.
public struct PlaybackQueue: Sendable, Equatable {
    /// An item's place in the order. One that was removed keeps it, so that what follows it can still be told.
    private struct Slot: Sendable, Equatable {
        let item: PlaybackItem
        var isRemoved = false
    }

    private var slots: [Slot] = []
    /// No further item will be appended.
    public private(set) var isClosed = false
    public var repeatMode: RepeatMode

    public init(repeatMode: RepeatMode = .off) { self.repeatMode = repeatMode }

    /// What follows an item.
    public enum Successor: Sendable, Equatable {
        case item(PlaybackItem)
        /// The playlist is still growing.
        case notYet
        case none
    }

    public var items: [PlaybackItem] { slots.filter { !$0.isRemoved }.map(\.item) }
    /// How many items are on it.
    public var count: Int { slots.count { !$0.isRemoved } }

    // MARK: Changes

    public mutating func append(_ item: PlaybackItem) { slots.append(Slot(item: item)) }

    public mutating func close() { isClosed = true }

    /// Takes the item away; nothing where it is not on the list.
    public mutating func remove(_ id: PlaybackItem.ID) {
        guard let index = index(of: id) else { return }
        slots[index].isRemoved = true
    }

    /// Takes away all that stand behind `id`; all there are for `nil`.
    public mutating func removeAll(after id: PlaybackItem.ID?) {
        let first = id.map { index(of: $0).map { $0 + 1 } ?? slots.count } ?? 0
        for index in slots.indices.dropFirst(first) { slots[index].isRemoved = true }
    }

    /// Puts the item at `place`, counted from 0; beyond the last place is the last. Nothing where it is not on the
    /// list.
    public mutating func move(_ id: PlaybackItem.ID, to place: Int) {
        guard contains(id), let index = index(of: id) else { return }
        let slot = slots.remove(at: index)
        let present = slots.indices.filter { !slots[$0].isRemoved }
        let target = present.dropFirst(max(0, place)).first ?? present.last.map { $0 + 1 } ?? slots.count
        slots.insert(slot, at: target)
    }

    // MARK: Order

    /// What is played after `id` was heard to its end; after `nil` comes the first item.
    /// - Parameter hasFailed: it could not be played, so that it is not repeated.
    public func successor(of id: PlaybackItem.ID?, hasFailed: Bool = false) -> Successor {
        if repeatMode == .one, !hasFailed, let id, contains(id), let item = item(id) { return .item(item) }
        return next(after: id)
    }

    /// The next item, be the present one repeated or not: what a listener asks for by `next`.
    public func next(after id: PlaybackItem.ID?) -> Successor {
        let start = id.flatMap(index).map { $0 + 1 } ?? 0
        if let slot = slots.dropFirst(start).first(where: { !$0.isRemoved }) { return .item(slot.item) }
        guard isClosed else { return .notYet }
        return repeatMode == .all ? items.first.map { .item($0) } ?? .none : .none
    }

    public func predecessor(of id: PlaybackItem.ID) -> PlaybackItem? {
        guard let index = index(of: id) else { return nil }
        if let slot = slots[..<index].last(where: { !$0.isRemoved }) { return slot.item }
        return repeatMode == .all && isClosed ? items.last : nil
    }

    /// The item `id`, also where it was removed.
    public func item(_ id: PlaybackItem.ID) -> PlaybackItem? { index(of: id).map { slots[$0].item } }

    public func contains(_ id: PlaybackItem.ID) -> Bool { place(of: id) != nil }

    /// Where `id` stands, from 0; `nil` where it is not on the list.
    public func place(of id: PlaybackItem.ID) -> Int? {
        guard let index = index(of: id), !slots[index].isRemoved else { return nil }
        return slots[..<index].count { !$0.isRemoved }
    }

    /// The item at `place`, counted from 0; `nil` where there is none.
    public func item(at place: Int) -> PlaybackItem? { place < 0 ? nil : items.dropFirst(place).first }

    private func index(of id: PlaybackItem.ID) -> Int? { slots.firstIndex { $0.item.id == id } }
}
