// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// A list of episodes, of which only the visible rows are looked at.
struct EpisodeListView {
    let screen: Screen
    let pane: Pane

    func draw(in area: Area, on canvas: inout Canvas) {
        guard let list = screen.lists[pane], area.rows > 0 else { return }
        guard let total = list.total, total > 0 else {
            for (index, line) in WrappedText.lines(emptyText(list), width: area.columns - 3).enumerated()
            where index < area.rows { canvas.text(line, in: area.line(index).inset(left: 2), CellStyle(dim: true)) }
            if screen.focus == pane { canvas.grid.cursor = CellPlace(row: area.row, column: area.column) }
            return
        }
        let top = list.cursor.visibleTop(height: area.rows, count: total)
        for line in 0..<min(area.rows, total - top) {
            let index = top + line
            row(list.row(index), number: index + 1, in: area.line(line), on: &canvas)
            if index == list.cursor.index { mark(area.line(line), on: &canvas) }
        }
    }

    private func mark(_ area: Area, on canvas: inout Canvas) {
        canvas.put(">", area.row, area.column)
        canvas.select(area, isFocused: pane == screen.focus)
    }

    private func emptyText(_ list: PagedList) -> String {
        if !list.filter.isEmpty { return "No episode has the words \"\(list.filter)\"." }
        if case .search(let words) = list.list.source {
            return words.isEmpty
                ? "Type words to find episodes." : list.total == nil ? "" : "No episode has the words \"\(words)\"."
        }
        guard list.total != nil else { return "" }
        return switch pane {
        case .queue: advice("The queue is empty", .queue, "adds an episode")
        case .downloads: advice("No downloads", .download, "downloads an episode")
        case _ where screen.hasNoPodcasts:
            advice("No podcasts yet", .subscribe, "subscribes to a podcast by its URL or its name")
        case .new: "No unplayed episodes."
        default: advice("No episodes", .refresh, "fetches new episodes")
        }
    }

    /// Returns a sentence with the key of an action, if it has one.
    private func advice(_ state: String, _ action: ScreenAction, _ words: String) -> String {
        state + (screen.keys.keyName(action).map { "; \($0) \(words)." } ?? ".")
    }

    private func row(_ row: EpisodeRow?, number: Int, in area: Area, on canvas: inout Canvas) {
        guard let row else {
            canvas.put(".", area.row, area.column + 1, CellStyle(dim: true))
            return
        }
        let style = row.progress == .played ? CellStyle(dim: true) : .plain
        if area.columns > 2 { state(row, area, on: &canvas) }
        // A column stays free, because a border or the edge of the screen follows.
        var rest = area.inset(left: 3, right: area.columns >= 30 ? 1 : 0)
        if area.columns >= 30 {
            let lead =
                pane == .queue ? ShortTime.padded("\(number)", 3) : ShortTime.day(row.published, today: screen.today)
            canvas.spaced(lead, in: rest.inset(left: 0, right: rest.columns - 6), CellStyle(dim: true))
            rest = rest.inset(left: lead.count + 2)
        }
        let hasPodcastColumn = hasPodcastColumn(rest)
        rest = right(row, rest, on: &canvas)
        if hasPodcastColumn {
            let width = min(24, rest.columns / 3)
            let place = rest.inset(left: rest.columns - width)
            canvas.text(row.podcastTitle, in: place, CellStyle(dim: true))
            rest = rest.inset(left: 0, right: width + 2)
        }
        canvas.text(row.title.isEmpty ? "(no title)" : row.title, in: rest, style)
    }

    private func state(_ row: EpisodeRow, _ area: Area, on canvas: inout Canvas) {
        let isPlaying = row.id == screen.playingEpisode
        let failed = row.download == .failed
        let glyph = failed ? "!" : canvas.glyphs.state(row)
        canvas.put(
            glyph, area.row, area.column + 1, CellStyle(failed ? .red : isPlaying ? .green : nil, bold: isPlaying))
    }

    /// The columns of the longest note, and of the space after it.
    private static let noteWidth = 8
    /// The columns of a duration, and of the space before it.
    private static let durationWidth = 9
    /// The fewest columns in which a title and its podcast can be read.
    private static let leastTextWidth = 44

    /// True if the rows show their podcasts, each in the same columns.
    private func hasPodcastColumn(_ area: Area) -> Bool {
        showsPodcast && area.columns >= Self.leastTextWidth + Self.durationWidth + Self.noteWidth
    }

    /// Draws the duration and the state of the download at the right end.
    /// - Returns: the columns that are left.
    private func right(_ row: EpisodeRow, _ area: Area, on canvas: inout Canvas) -> Area {
        var rest = area
        if area.columns >= 20 {
            let time = row.duration.map { ClockText.time($0) } ?? ""
            canvas.text(time, in: rest, .plain, .right)
            rest = rest.inset(left: 0, right: Self.durationWidth)
        }
        let note = note(row)
        if area.columns >= 34, !note.isEmpty { canvas.text(note, in: rest, CellStyle(.green), .right) }
        let width = area.columns < 34 || note.isEmpty ? 0 : note.count + 2
        return rest.inset(left: 0, right: hasPodcastColumn(area) ? Self.noteWidth : width)
    }

    private func note(_ row: EpisodeRow) -> String {
        let progress = screen.downloads[row.id]
        switch progress?.state ?? row.download {
        case .complete: return "here"
        case .partial, .wanted:
            let part = progress?.fraction ?? row.downloaded ?? 0
            return part > 0 ? "\(Int(min(part, 1) * 100))%" : "wanted"
        case .failed: return "failed"
        case nil: return row.isQueued && pane != .queue ? "queued" : ""
        }
    }

    private var showsPodcast: Bool {
        guard pane == .episodes else { return true }
        return screen.lists[pane]?.list.source == .all
    }
}
