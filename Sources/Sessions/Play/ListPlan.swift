// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The items of a playlist that come from a list of the library, and their changes when the list changes. Pure.
struct ListPlan: Sendable {
    /// The changes that bring the playlist into the state of the list.
    struct Edit: Sendable, Equatable {
        var removed: [PlaybackItem.ID] = []
        /// The kept items that were not played yet, in the order of the list.
        var kept: [PlaybackItem.ID] = []
        /// The episodes to append.
        var added: [Int64] = []
    }

    /// One comparison at a time: a second one would add the episodes that the first has not placed yet.
    private enum Comparison { case none, running, outdated }

    private var comparison = Comparison.none
    /// The items of the list that were not played yet, in playing order.
    private var upcoming: [(item: PlaybackItem.ID, episode: Int64)] = []
    /// The episodes that are played or were, and have not left the list yet: the library removes them later.
    private(set) var started: Set<Int64> = []
    /// The episodes of the list, as far as they are known.
    private var listed: Set<Int64> = []
    /// The item that plays, unless its episode has left the list.
    private(set) var playing: (item: PlaybackItem.ID, episode: Int64)?

    /// Begins to compare the list with the playlist, or lets the running comparison repeat.
    /// - Returns: true if the caller must compare.
    mutating func beginComparison() -> Bool {
        defer { comparison = comparison == .none ? .running : .outdated }
        return comparison == .none
    }

    /// - Returns: true if the list has changed since the comparison began, so that the caller must repeat it.
    mutating func endComparison() -> Bool {
        comparison = comparison == .outdated ? .running : .none
        return comparison == .running
    }

    /// Notes an item of the list. It may have begun to play meanwhile.
    mutating func place(_ item: PlaybackItem.ID, _ episode: Int64) {
        listed.insert(episode)
        if playing?.item != item { upcoming.append((item, episode)) }
    }

    /// Notes an episode that the list does not add again: the listener chose it, or an earlier player has played or
    /// skipped it.
    mutating func expect(_ episode: Int64) { started.insert(episode) }

    /// Notes an episode that plays, or plays first, which may come from elsewhere.
    mutating func start(_ item: PlaybackItem.ID, _ episode: Int64) {
        upcoming.removeAll { $0.item == item }
        started.insert(episode)
        playing = (item: item, episode: episode)
    }

    /// Notes that the item that plays follows again after another one. An episode outside the list does not follow the
    /// list.
    mutating func interrupt() {
        guard let item = playing.take(), listed.contains(item.episode) else { return }
        started.remove(item.episode)
        upcoming.insert(item, at: 0)
    }

    /// Returns the changes for a list, and assumes the removals.
    mutating func update(_ list: [Int64]) -> Edit {
        listed = Set(list)
        started.formIntersection(list)
        if let playing, !started.contains(playing.episode) { self.playing = nil }
        let wanted = list.filter { !started.contains($0) }
        let places = Dictionary(wanted.enumerated().map { ($1, $0) }) { first, _ in first }
        var edit = Edit(removed: upcoming.filter { places[$0.episode] == nil }.map(\.item))
        upcoming.removeAll { places[$0.episode] == nil }
        upcoming.sort { places[$0.episode, default: 0] < places[$1.episode, default: 0] }
        edit.kept = upcoming.map(\.item)
        let present = Set(upcoming.map(\.episode))
        edit.added = wanted.filter { !present.contains($0) }
        return edit
    }
}
