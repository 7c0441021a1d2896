// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// The titles of the panes.
struct PaneTitle {
    private let screen: Screen

    init(_ screen: Screen) { self.screen = screen }

    func text(_ pane: Pane) -> String {
        let counts = screen.counts
        return switch pane {
        case .podcasts: with("Podcasts", screen.podcasts.filter)
        case .episodes: episodes
        case .queue:
            list(.queue, "Queue") + (counts.queueTime > .zero ? ", \(ShortTime.hours(counts.queueTime)) left" : "")
        case .new: list(.new, "New")
        case .downloads: list(.downloads, "Downloads")
        case .found: found
        case .chapters: "Chapters"
        case .settings: with("Settings", screen.settings.filter)
        case .errors: "Errors"
        }
    }

    /// The title of the details: the selected row.
    var details: String {
        switch screen.tab {
        case .settings: screen.settings.selected?.name ?? ""
        case .errors: "Error"
        case .playing: "Notes"
        case .podcasts: screen.lists[.episodes]?.selected?.title ?? ""
        default: screen.focusedEpisode?.title ?? ""
        }
    }

    private var episodes: String {
        guard let list = screen.lists[.episodes] else { return "" }
        guard case .podcast(let id) = list.list.source else { return self.list(.episodes, "All episodes") }
        let podcast = (screen.podcasts.podcasts ?? []).first { $0.id == id }
        let unplayed = podcast.map { list.filter.isEmpty && $0.unplayed > 0 ? ", \($0.unplayed) unplayed" : "" } ?? ""
        return self.list(.episodes, podcast?.title ?? "") + unplayed
    }

    private var found: String {
        guard case .search(let words) = screen.lists[.found]?.list.source, !words.isEmpty else { return "Find" }
        return list(.found, "Find \"\(words)\"")
    }

    private func list(_ pane: Pane, _ name: String) -> String {
        guard let list = screen.lists[pane], let total = list.total, list.isCounted else { return name }
        return with(name, list.filter) + " - " + CountText.text(total, "episode")
    }

    private func with(_ name: String, _ filter: String) -> String { filter.isEmpty ? name : "\(name) /\(filter)" }
}
