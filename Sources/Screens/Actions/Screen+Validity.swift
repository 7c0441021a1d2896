// SPDX-License-Identifier: GPL-3.0-or-later

extension Screen {
    /// Returns true if an action does something in this state. The footer lists only such actions.
    func isValid(_ action: ScreenAction) -> Bool { refusal(of: action) == nil }

    /// Returns a sentence with the reason why an action does nothing in this state; `nil` if it does something.
    func refusal(of action: ScreenAction) -> String? {
        switch action {
        case .down, .up, .top, .bottom, .halfDown, .halfUp, .pageDown, .pageUp:
            rowCount > 0 ? nil : "The list is empty."
        case .nextPane, .previousPane: reader == nil && shownPanes.count > 1 ? nil : "There is no other pane."
        case .open: canOpen ? nil : openRefusal
        case .queue, .queueNext: actsOnPodcast ? nil : queueRefusal(action)
        case .moveDown, .moveUp: moveRefusal(action)
        case .download:
            episodeRefusal ?? (focusedEpisode?.download == .complete ? "The episode is already downloaded." : nil)
        case .remove: removeRefusal
        case .mark, .why: episodeRefusal
        case .notes, .transcript: readableEpisode == nil ? episodeRefusal : nil
        case .bookmark: bookmarkRefusal
        case .filter: reader != nil || canFilter ? nil : "This list cannot be filtered."
        case .nextMatch, .previousMatch:
            reader.map { !$0.search.isEmpty } ?? !activeFilter.isEmpty ? nil : "No words were searched for."
        case .close: reader != nil || !activeFilter.isEmpty ? nil : "There is nothing to close."
        case .back, .forward, .faster, .slower, .normalSpeed, .sleep, .louder, .quieter, .previous, .repeat:
            itemRefusal
        case .next: player?.canNext == true ? nil : itemRefusal ?? "There is no next item."
        case .nextChapter, .previousChapter: chapterRefusal(action)
        case .retry: isConnected ? "No connection was lost." : nil
        case .undo, .refresh, .subscribe, .command, .help, .toggle, .repaint, .suspend, .quit, .stop,
            .showQueue, .showPodcasts, .showNew, .showDownloads, .showFind, .showPlaying, .showSettings, .showErrors:
            nil
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

    /// The reason why an action on an episode does nothing.
    private var episodeRefusal: String? {
        if reader != nil { return "Close the text first." }
        return focusedEpisode == nil ? "No episode is selected." : nil
    }

    /// The reason why an action on the playing item does nothing.
    private var itemRefusal: String? { player?.item == nil ? "Nothing is playing." : nil }

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

    private var openRefusal: String {
        if reader != nil { return "This text has no time to play from." }
        return switch focus {
        case .chapters: itemRefusal ?? "No chapter is selected."
        case .settings: "No setting is selected."
        case .errors: "There are no errors."
        default: "No episode is selected."
        }
    }

    private func queueRefusal(_ action: ScreenAction) -> String? {
        let isDone = action == .queue && focusedEpisode?.isQueued == true
        return episodeRefusal ?? (isDone ? "The episode is already in the queue." : nil)
    }

    private func moveRefusal(_ action: ScreenAction) -> String? {
        if let reason = episodeRefusal { return reason }
        guard focus == .queue, let list = lists[.queue] else { return "Only episodes of the queue can be moved." }
        guard list.filter.isEmpty else { return "Close the filter first, which hides a part of the queue." }
        if action == .moveUp { return list.cursor.index > 0 ? nil : "The episode is the first one in the queue." }
        return list.cursor.index + 1 < list.count ? nil : "The episode is the last one in the queue."
    }

    private var removeRefusal: String? {
        if reader == nil, focus == .podcasts {
            return podcasts.selectedPodcast == nil ? "No podcast is selected." : nil
        }
        let hasNothing = focus != .queue && focusedEpisode?.download == nil
        return episodeRefusal ?? (hasNothing ? "The episode is not downloaded." : nil)
    }

    private var bookmarkRefusal: String? {
        if let reason = itemRefusal { return reason }
        guard playingEpisode != nil else { return "Only episodes of the library can have bookmarks." }
        return position == nil ? "The position is not known yet." : nil
    }

    private func chapterRefusal(_ action: ScreenAction) -> String? {
        if let reason = itemRefusal { return reason }
        guard chapterTarget(action) == nil else { return nil }
        if chapters.isEmpty { return "The episode has no chapters." }
        return position == nil ? "The position is not known yet." : "This is the last chapter."
    }

    /// True unless the connection or the sound device was lost.
    private var isConnected: Bool {
        player.map { $0.activity != .connectionLost && $0.activity != .noDevice } ?? true
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
