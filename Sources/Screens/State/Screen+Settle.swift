// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension Screen {
    /// Returns the requests for everything that the screen shows and does not have.
    mutating func settle() -> [ScreenEffect] {
        showSelectedPodcast()
        let layout = layout
        settleCursors(layout)
        // The visible rows come first.
        var effects = loadLists(layout)
        effects += wanted.map(ScreenEffect.load)
        wanted = []
        effects += loadDetails(layout)
        effects += loadCover(layout)
        return effects + wakeEffect()
    }

    private mutating func showSelectedPodcast() {
        switch podcasts.selected {
        case .all: lists[.episodes]?.show(.all)
        case .podcast(let podcast, _): lists[.episodes]?.show(.podcast(podcast.id))
        case .group: break
        }
    }

    private mutating func settleCursors(_ layout: Layout) {
        if layout.panes[focus] == nil { focused[tab] = tab.panes.first { layout.panes[$0] != nil } }
        for pane in layout.panes.keys { settleCursor(pane, height: layout.height(pane)) }
        settleReader(layout)
        if let rows = help?.rows.count { help?.cursor.settle(height: layout.body.rows, count: rows) }
    }

    private mutating func settleReader(_ layout: Layout) {
        let height = layout.body.rows
        reader?.settle(width: Self.readerWidth(layout), height: height)
        guard case .transcript(let id) = reader?.content else { return }
        let heard = id == playingEpisode ? position : nil
        reader?.follow(heard, height: height)
    }

    private mutating func settleCursor(_ pane: Pane, height: Int) {
        switch pane {
        case .podcasts: podcasts.cursor.settle(height: height, count: podcasts.lines.count)
        case .chapters: chapterCursor.settle(height: height, count: chapters.count)
        case .settings: settings.cursor.settle(height: height, count: settings.shown.count)
        case .errors: errors.cursor.settle(height: height, count: errors.sentences.count)
        default:
            guard let list = lists[pane], list.total != nil else { return }
            lists[pane]?.cursor.settle(height: height, count: list.count)
        }
    }

    /// The columns of a line of the reader: long lines are hard to read.
    static func readerWidth(_ layout: Layout) -> Int { max(2, min(layout.body.columns - 2, 100)) }

    private mutating func loadLists(_ layout: Layout) -> [ScreenEffect] {
        var heights = layout.panes.mapValues(\.rows)
        if let side = layout.side { heights[.queue] = max(heights[.queue] ?? 0, side.queue.rows) }
        if let list = lists[.found], case .search(let words) = list.list.source, words.isEmpty { heights[.found] = nil }
        return lists.keys.sorted { "\($0)" < "\($1)" }.compactMap { pane in
            heights[pane].flatMap { lists[pane]?.neededQuery(height: $0) }.map(ScreenEffect.load)
        }
    }

    private mutating func loadDetails(_ layout: Layout) -> [ScreenEffect] {
        var ids: [Int64] = []
        if layout.details != nil, let id = detailedEpisode { ids.append(id) }
        if let id = playingEpisode { ids.append(id) }
        if case .notes(let id) = reader?.content { ids.append(id) }
        var effects: [ScreenEffect] = []
        for id in ids where details[id] == nil && !askedDetails.contains(id) {
            if askedDetails.count > 1000 { askedDetails = [] }
            askedDetails.insert(id)
            effects.append(.load(.details(id)))
        }
        return effects
    }

    private mutating func loadCover(_ layout: Layout) -> [ScreenEffect] {
        guard let area = layout.cover, let id = playingEpisode, let found = details[id], area.columns > 0 else {
            return []
        }
        let request = CoverRequest(episode: id, image: found.image, columns: area.columns, rows: area.rows)
        guard cover?.request != request else { return [] }
        cover = (request, nil)
        return [.cover(request)]
    }

    /// Returns the change of the wake-up time; nothing if it stays.
    private mutating func wakeEffect() -> [ScreenEffect] {
        let next = nextWake
        // A wake-up that has happened is not pending any more.
        let pending = wake.flatMap { $0 > now ? $0 : nil }
        let isSoonEnough = if let next, let pending { pending <= next } else { false }
        guard next != pending, !isSoonEnough else {
            wake = pending
            return []
        }
        wake = next
        return [.wake(at: next)]
    }

    /// The time at which the shown position changes, at most once a second; `nil` if nothing moves.
    private var nextWake: Duration? {
        guard options.hasClock, let player, player.rate > 0, player.item != nil, let position else { return nil }
        if let whole = player.duration.value, position >= whole { return nil }
        let passed = position - .seconds(position.components.seconds)
        let step = (Duration.seconds(1) - passed) / min(max(player.rate, 0.05), 4) + .milliseconds(2)
        // A fast sound would change the position more often than once a second.
        return now + (player.rate > 1 ? .seconds(1) : step)
    }
}
