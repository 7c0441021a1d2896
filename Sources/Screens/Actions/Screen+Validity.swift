// SPDX-License-Identifier: GPL-3.0-or-later

extension Screen {
    /// Returns true if an action does something in this state. The footer lists only such actions.
    func isValid(_ action: ScreenAction) -> Bool {
        switch action {
        case .down, .up, .top, .bottom, .halfDown, .halfUp, .pageDown, .pageUp: rowCount > 0
        case .nextPane, .previousPane: reader == nil && shownPanes.count > 1
        case .open: canOpen
        case .queue, .queueNext: actsOnEpisode || actsOnPodcast
        case .moveDown, .moveUp: reader == nil && focus == .queue && canReorder(action)
        case .download: actsOnEpisode && focusedEpisode?.download != .complete
        case .remove: canRemove
        case .mark, .why: actsOnEpisode
        case .notes, .transcript: readableEpisode != nil
        case .bookmark: playingEpisode != nil && position != nil
        case .filter: reader != nil || canFilter
        case .nextMatch, .previousMatch: reader.map { !$0.search.isEmpty } ?? !activeFilter.isEmpty
        case .close: reader != nil || !activeFilter.isEmpty
        case .back, .forward, .faster, .slower, .normalSpeed, .sleep, .louder, .quieter, .previous, .repeat:
            player?.item != nil
        case .next: player?.canNext == true
        case .nextChapter, .previousChapter: player?.item != nil && chapterTarget(action) != nil
        case .retry: player.map { $0.activity == .connectionLost || $0.activity == .noDevice } ?? false
        case .undo, .refresh, .subscribe, .command, .help, .toggle, .repaint, .suspend, .quit, .stop,
            .showQueue, .showPodcasts, .showNew, .showDownloads, .showFind, .showPlaying, .showSettings, .showErrors:
            true
        }
    }

    /// The panes of the view that are on the screen; a tiny screen shows one of them at a time.
    var shownPanes: [Pane] {
        let layout = layout
        return layout.kind == .tiny ? tab.panes : tab.panes.filter { layout.panes[$0] != nil }
    }

    /// The rows of the focused list, or the lines of the reader.
    var rowCount: Int {
        if let reader { return reader.lines.count }
        return switch focus {
        case .podcasts: podcasts.lines.count
        case .chapters: chapters.count
        case .settings: settings.shown.count
        case .errors: errors.sentences.count
        default: lists[focus]?.count ?? 0
        }
    }

    private var actsOnEpisode: Bool { reader == nil && focusedEpisode != nil }

    private var actsOnPodcast: Bool { reader == nil && focus == .podcasts && podcasts.selectedPodcast != nil }

    private var canOpen: Bool {
        if let reader {
            guard case .transcript(let id) = reader.content else { return false }
            return reader.time != nil && id > 0
        }
        return switch focus {
        case .podcasts: true
        case .chapters: chapters.indices.contains(chapterCursor.index) && player?.item != nil
        case .settings: settings.selected != nil
        case .errors: !errors.sentences.isEmpty
        default: focusedEpisode != nil
        }
    }

    private func canReorder(_ action: ScreenAction) -> Bool {
        guard let list = lists[.queue], list.filter.isEmpty, list.selected != nil else { return false }
        return action == .moveDown ? list.cursor.index + 1 < list.count : list.cursor.index > 0
    }

    private var canRemove: Bool {
        guard reader == nil else { return false }
        return switch focus {
        case .podcasts: podcasts.selectedPodcast != nil
        case .queue: focusedEpisode != nil
        default: focusedEpisode?.download != nil
        }
    }

    /// The episode whose notes and transcript can be read.
    var readableEpisode: (id: Int64, title: String)? {
        if reader != nil { return nil }
        if let row = focusedEpisode { return (row.id, row.title) }
        guard tab == .playing, let item = player?.item, let id = item.episode else { return nil }
        return (id, item.title)
    }

    private var canFilter: Bool { ![.chapters, .errors].contains(focus) }

    /// The filter of the focused list.
    var activeFilter: String {
        switch focus {
        case .podcasts: podcasts.filter
        case .settings: settings.filter
        case .chapters, .errors: ""
        default: lists[focus]?.filter ?? ""
        }
    }

    /// The valid actions in the order of the footer: those of the focused row first.
    var validActions: [ScreenAction] {
        let order: [ScreenAction] =
            [.open, .retry, .queue, .queueNext, .download, .mark, .remove, .toggle, .bookmark, .notes]
            + [.filter, .command, .undo, .quit]
        let rest = ScreenAction.allCases.filter { !order.contains($0) }
        return (order + rest).filter(isValid)
    }
}
