// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

/// The chapters of one item, which are determined again when something about the item changes. A pure value.
struct ChapterBook: Sendable, Equatable {
    /// What determines the chapters.
    struct Facts: Sendable, Equatable {
        /// The list in the file, and those of the feed.
        var lists: [ChapterList] = []
        var duration = MediaDuration.unknown
        /// The duration according to the feed.
        var claimedDuration: Duration?
        /// The changes of times by transitions to other versions; `nil` for an unknown change.
        var moves: [VersionTimes?] = []
    }

    private var facts = Facts()
    private(set) var chapters: ItemChapters?

    mutating func update(_ facts: Facts) {
        guard facts != self.facts else { return }
        self.facts = facts
        var isApproximate = facts.moves.isEmpty && facts.isOtherVersion
        let lists = facts.lists.map { list in
            guard list.source != .inFile else { return list }
            return facts.moves.reduce(list) { list, move in
                let moved = move?.moved(list) ?? (list: list, isExact: false)
                isApproximate = isApproximate || !moved.isExact
                return moved.list
            }
        }
        chapters = ItemChapters(lists, length: facts.length, isApproximate: isApproximate)
    }

    /// Returns the ends of the chapters inside the item.
    /// - Parameter skipsHidden: true if hidden chapters are left out.
    func ends(skipsHidden: Bool) -> [Duration] {
        chapters?.ends(length: facts.length, skipsHidden: skipsHidden) ?? []
    }
}

extension ChapterBook.Facts {
    /// The duration, unless it is an estimate.
    fileprivate var length: Duration? { duration.unlessEstimated }

    fileprivate var isOtherVersion: Bool {
        ItemChapters.isOtherVersion(length: length, claimed: claimedDuration)
    }
}

/// The chapters last announced as events. A pure value.
struct ChapterAnnouncer: Sendable, Equatable {
    private var item: PlaybackItem.ID?
    private var chapters: ItemChapters?
    private var place: ItemChapters.Place?

    /// Returns the events that are due when an item is played at a position.
    /// - Parameter position: `nil` if it is unknown.
    mutating func events(_ item: PlaybackItem, _ chapters: ItemChapters?, at position: Duration?) -> [PlayerEvent] {
        if item.id != self.item { self = ChapterAnnouncer(item: item.id) }
        var events: [PlayerEvent] = []
        if chapters != self.chapters {
            self.chapters = chapters
            events.append(.chaptersFound(item, chapters))
        }
        guard let position else { return events }
        let place = chapters?.place(at: position)
        if place != self.place {
            self.place = place
            events.append(.chapterChanged(item, place))
        }
        return events
    }
}

extension ChapterAnnouncer {
    private init(item: PlaybackItem.ID) {
        self.init()
        self.item = item
    }
}
