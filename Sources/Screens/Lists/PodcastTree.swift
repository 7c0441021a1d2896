// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A line of the list of podcasts.
enum PodcastLine: Sendable, Hashable {
    /// All episodes of all podcasts.
    case all
    /// A group with its path, and whether its podcasts are shown.
    case group([String], isOpen: Bool)
    case podcast(PodcastRow, depth: Int)

    /// Identifies the line after a refresh.
    enum ID: Sendable, Hashable {
        case all
        case group([String])
        case podcast(Int64)
    }

    var id: ID {
        switch self {
        case .all: .all
        case .group(let path, _): .group(path)
        case .podcast(let podcast, _): .podcast(podcast.id)
        }
    }
}

/// The podcasts with their groups, filtered, as lines.
struct PodcastTree: Sendable {
    private(set) var podcasts: [PodcastRow]?
    /// True until the first query is answered or fails.
    private(set) var isAwaited = true
    private(set) var lines: [PodcastLine] = [.all]
    private(set) var filter = ""
    private var closed: Set<[String]> = []
    var cursor = ListCursor()
    private var placeBeforeFilter: PodcastLine.ID?

    var selected: PodcastLine { lines.indices.contains(cursor.index) ? lines[cursor.index] : .all }

    var selectedPodcast: PodcastRow? { if case .podcast(let podcast, _) = selected { podcast } else { nil } }

    var unplayed: Int { (podcasts ?? []).reduce(0) { $0 &+ max(0, $1.unplayed) } }

    mutating func take(_ podcasts: [PodcastRow]) {
        (self.podcasts, isAwaited) = (podcasts, false)
        rebuild(keeping: selected.id)
    }

    mutating func fail() { isAwaited = false }

    mutating func move(by step: Int) { cursor.move(by: step, count: lines.count) }

    mutating func move(to row: Int) { cursor.move(to: row, count: lines.count) }

    mutating func setFilter(_ text: String) {
        guard text != filter else { return }
        let id = selected.id
        if filter.isEmpty { placeBeforeFilter = id }
        filter = text
        rebuild(keeping: text.isEmpty ? placeBeforeFilter ?? id : id)
        if !text.isEmpty, selected == .all, lines.count > 1 { move(to: 1) }
    }

    /// Opens or closes the selected group.
    mutating func toggleGroup() {
        guard case .group(let path, let isOpen) = selected else { return }
        if isOpen { closed.insert(path) } else { closed.remove(path) }
        rebuild(keeping: .group(path))
    }

    private mutating func rebuild(keeping id: PodcastLine.ID) {
        lines = [.all] + (filter.isEmpty ? grouped([], podcasts ?? []) : found)
        let kept = lines.firstIndex { $0.id == id }
        if let kept { cursor.follow(to: kept) } else { cursor.move(to: cursor.index, count: lines.count) }
    }

    private var found: [PodcastLine] {
        (podcasts ?? []).filter { TextMatch.contains($0.title, filter) }.map { .podcast($0, depth: 0) }
    }

    /// Returns the lines of a group: its own podcasts, then its subgroups in alphabetical order.
    private func grouped(_ path: [String], _ members: [PodcastRow]) -> [PodcastLine] {
        let depth = path.count
        let own = members.filter { $0.groups.count == depth }.map { PodcastLine.podcast($0, depth: depth) }
        let deeper = Dictionary(grouping: members.filter { $0.groups.count > depth }) { $0.groups[depth] }
        return own
            + deeper.sorted { $0.key < $1.key }.flatMap { name, podcasts in
                let inner = path + [name]
                let isOpen = !closed.contains(inner)
                return [PodcastLine.group(inner, isOpen: isOpen)] + (isOpen ? grouped(inner, podcasts) : [])
            }
    }
}

/// Finds words in titles, in any case.
enum TextMatch {
    /// Returns true if the text contains every word.
    static func contains(_ text: String, _ words: String) -> Bool {
        let text = text.lowercased()
        return words.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }
}
