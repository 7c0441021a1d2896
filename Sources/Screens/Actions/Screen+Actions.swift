// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension Screen {
    /// Performs a valid action.
    mutating func perform(_ action: ScreenAction) -> [ScreenEffect] {
        switch action {
        case .down, .up, .top, .bottom, .halfDown, .halfUp, .pageDown, .pageUp: move(action)
        case .nextPane, .previousPane: changePane(by: action == .nextPane ? 1 : -1)
        case .open: return open()
        case .queue, .queueNext, .moveDown, .moveUp, .download, .mark, .why, .undo, .refresh:
            return change(action)
        case .remove: return remove()
        case .notes, .transcript: return read(action)
        case .subscribe: typing = Typing(.command, "subscribe ")
        case .filter: typing = reader == nil ? Typing(.filter(focus), activeFilter) : Typing(.readerSearch)
        case .nextMatch, .previousMatch: stepMatch(action == .nextMatch ? 1 : -1)
        case .command: typing = Typing(.command)
        case .help: help = HelpState(valid: validActions.filter { $0 != .help }, commands: options.commands)
        case .close: close()
        case .showQueue, .showPodcasts, .showNew, .showDownloads, .showFind, .showPlaying, .showSettings, .showErrors:
            show(ScreenTab.allCases.first { $0.action == action } ?? tab)
        case .repaint: return [.repaint]
        case .suspend: return [.suspend]
        case .quit: return leave(by: .quit(farewell))
        case .stop: return leave(by: .stopAndQuit)
        default: return control(action)
        }
        return []
    }

    /// The sentence after the screen, which names the item that continues; empty if there is none.
    public var farewell: String {
        guard let player, player.activity != .idle, player.activity != .ended, let item = player.item else { return "" }
        let verb = player.activity == .paused ? "stays paused" : "continues to play"
        return "\"\(PlainTitle.text(item.title))\" \(verb); \"earshot stop\" ends it."
    }

    /// Leaves after the last change has ended; the second time, immediately.
    private mutating func leave(by effect: ScreenEffect) -> [ScreenEffect] {
        guard hasChanges, departure == nil else {
            isLeaving = true
            return [effect]
        }
        departure = effect
        message = ("The last changes are being saved.", false)
        return []
    }

    mutating func show(_ new: ScreenTab) {
        // The same key again begins another search.
        let searches = new == .find && (tab == .find || lists[.found]?.list.source == .search(""))
        (reader, tab) = (nil, new)
        if new == .settings { want(.settings) }
        if searches { typing = Typing(.find) }
        if new == .playing { chapterCursor = ListCursor(index: begunChapter ?? 0) }
    }

    private mutating func changePane(by step: Int) {
        let panes = shownPanes
        guard let index = panes.firstIndex(of: focus) else { return }
        focused[tab] = panes[(index + step + panes.count) % panes.count]
    }

    private mutating func close() {
        if reader != nil {
            reader = nil
        } else {
            setFilter("", of: focus)
        }
    }

    mutating func setFilter(_ text: String, of pane: Pane) {
        switch pane {
        case .podcasts: podcasts.setFilter(text)
        case .settings: settings.setFilter(text)
        case .chapters, .errors: break
        default: lists[pane]?.setFilter(text)
        }
    }

    private mutating func stepMatch(_ direction: Int) {
        if reader != nil { reader?.step(direction) } else { moveFocused(by: direction) }
    }

    private mutating func open() -> [ScreenEffect] {
        if let reader, case .transcript(let id) = reader.content, let time = reader.time {
            let start = max(.zero, time)
            return [.player(id == playingEpisode ? .seek(to: start) : .play(id, from: start))]
        }
        switch focus {
        case .podcasts: openPodcast()
        case .chapters:
            guard chapters.indices.contains(chapterCursor.index) else { return [] }
            return [.player(.seek(to: chapters[chapterCursor.index].start))]
        case .settings: return openSetting()
        case .errors:
            let index = errors.cursor.index
            guard errors.sentences.indices.contains(index) else { return [] }
            showOutput("Error", [errors.sentences[index]])
        case .queue: if let row = focusedEpisode { return [.player(.playInQueue(row.id))] }
        default: if let row = focusedEpisode { return [.player(.play(row.id, from: nil))] }
        }
        return []
    }

    private mutating func openPodcast() {
        if case .group = podcasts.selected { podcasts.toggleGroup() } else { focused[.podcasts] = .episodes }
    }

    private mutating func read(_ action: ScreenAction) -> [ScreenEffect] {
        guard let episode = readableEpisode else { return [] }
        if action == .notes {
            let known = details[episode.id].map(Self.paragraphs)
            askedDetails.remove(episode.id)
            reader = Reader(.notes(episode.id), title: episode.title, paragraphs: known)
            return []
        }
        reader = Reader(.transcript(episode.id), title: episode.title)
        return [.load(.transcript(episode.id))]
    }

    mutating func showOutput(_ title: String, _ lines: [String]) {
        reader = Reader(.output, title: title, paragraphs: lines.map { Reader.Line(text: $0, time: nil) })
    }
}
