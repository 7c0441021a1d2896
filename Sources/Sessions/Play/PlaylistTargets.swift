// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Media
import Playback

/// The targets that name the items of a playlist, and those of its first request that are not on it yet. A pure value.
struct PlaylistTargets: Sendable {
    struct Target: Sendable, Equatable {
        /// An episode by its number, a path, or an address.
        let text: String
        /// True if the list that the playlist follows has the item.
        var isFromList = false
        /// The end that the listener chose.
        var end: TimeTarget?
        /// True if its meaning depends on the scope or the choice of its request.
        var needsRequest = false
        /// The episode in the library.
        var episode: Int64?
    }

    /// The targets that another player continues with, the current one first.
    struct Remaining: Sendable, Equatable {
        let targets: [String]
        /// The indices of the targets whose meaning does not depend on the scope or the choice of the first request.
        let resolved: Set<Int>
        /// The ends that the listener chose, by the indices of the targets.
        let ends: [Int: TimeTarget]
        /// The list that follows. It names its items again.
        let nextList: LibraryTargets.List?
        /// The episodes that the list does not add again.
        let passed: Set<Int64>
    }

    /// The most targets of a record.
    private static let most = 100

    private var placed: [PlaybackItem.ID: Target] = [:]
    /// The targets of the first request that are not on the playlist yet.
    private var expected: [Target] = []
    private var isStopped = false

    /// Expects the targets of the first request.
    mutating func expect(_ request: PlayRequest) {
        expected = request.targets.enumerated().map { index, text in
            let needsRequest = request.scope(ofTarget: index) != .everything || request.episode(ofTarget: index) != nil
            return Target(text: text, end: request.end(inTarget: index), needsRequest: needsRequest)
        }
    }

    /// Replaces the next expected target by those of the episodes that it names; by none if it has failed.
    mutating func resolveNext(to targets: [Target]) {
        expected.replaceSubrange(0..<min(1, expected.count), with: targets)
    }

    /// Notes an item on the playlist.
    /// - Parameter isExpected: true if it is the next expected target.
    /// - Returns: false after `stop`.
    mutating func place(_ item: PlaybackItem.ID, _ target: Target, isExpected: Bool) -> Bool {
        guard !isStopped else { return false }
        placed[item] = target
        if isExpected { resolveNext(to: []) }
        return true
    }

    /// The episodes of the items; `nil` for audio that the library does not have.
    var episodes: [PlaybackItem.ID: Int64?] { placed.mapValues(\.episode) }

    /// Accepts no more items: another player continues with the remaining targets.
    mutating func stop() { isStopped = true }

    /// True if the item comes from the list that the playlist follows.
    func isFromList(_ item: PlaybackItem.ID) -> Bool { placed[item]?.isFromList ?? false }

    /// Returns the targets from an item on.
    /// - Parameters:
    ///   - wraps: true if the items before it follow at the end.
    ///   - list: the list that follows.
    ///   - started: the episodes of the list that were played or skipped, including those that follow again.
    /// - Returns: `nil` if the target of the item is not known.
    func remaining(
        from item: PlaybackItem.ID, on playlist: PlaybackQueue, wraps: Bool, followedBy list: LibraryTargets.List?,
        started: Set<Int64>
    ) -> Remaining? {
        guard let first = placed[item] else { return nil }
        let next = playlist.items(after: item, wraps: false)
        let earlier = wraps ? playlist.items(after: item, wraps: true).dropFirst(next.count) : []
        let later = next.compactMap { placed[$0.id] } + expected + earlier.compactMap { placed[$0.id] }
        let all = ([first] + later.filter { list == nil || !$0.isFromList }).prefix(Self.most)
        let ends = all.enumerated().compactMap { index, target in target.end.map { (index, $0) } }
        let resolved = all.enumerated().compactMap { index, target in target.needsRequest ? nil : index }
        return Remaining(
            targets: all.map(\.text), resolved: Set(resolved), ends: Dictionary(uniqueKeysWithValues: ends),
            nextList: list,
            passed: list == nil ? [] : started.subtracting(([first] + later).compactMap { Int64($0.text) }))
    }
}
