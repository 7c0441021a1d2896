// SPDX-License-Identifier: GPL-3.0-or-later

/// The playlist: what is played, in which order. It may still grow while its first items are heard.
public struct PlaybackQueue: Sendable, Equatable {
    public private(set) var items: [PlaybackItem] = []
    /// No further item will be appended.
    public private(set) var isClosed = false

    public init() {}

    /// What follows an item.
    public enum Successor: Sendable, Equatable {
        case item(PlaybackItem)
        /// The playlist is still growing.
        case notYet
        case none
    }

    public mutating func append(_ item: PlaybackItem) { items.append(item) }

    public mutating func close() { isClosed = true }

    /// What comes after `id`; after `nil` comes the first item.
    public func successor(of id: PlaybackItem.ID?) -> Successor {
        let next = id.flatMap(place).map { $0 + 1 } ?? 0
        if next < items.count { return .item(items[next]) }
        return isClosed ? .none : .notYet
    }

    public func predecessor(of id: PlaybackItem.ID) -> PlaybackItem? {
        guard let place = place(of: id), place > 0 else { return nil }
        return items[place - 1]
    }

    public func item(_ id: PlaybackItem.ID) -> PlaybackItem? {
        place(of: id).map { items[$0] }
    }

    /// Where `id` stands, from 0.
    public func place(of id: PlaybackItem.ID) -> Int? {
        items.firstIndex { $0.id == id }
    }
}
