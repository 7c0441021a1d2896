// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// The lists without episodes: chapters, settings and errors.
struct PlainListView {
    let screen: Screen
    let pane: Pane

    func draw(in area: Area, on canvas: inout Canvas) {
        let count = count
        guard count > 0 else {
            canvas.text(emptyText, in: area.line(0).inset(left: 2), CellStyle(dim: true))
            if screen.focus == pane { canvas.grid.cursor = CellPlace(row: area.row, column: area.column) }
            return
        }
        let top = screen.top(pane, height: area.rows)
        for line in 0..<max(0, min(area.rows, count - top)) {
            let place = area.line(line)
            row(top + line, in: place.inset(left: 2, right: 1), on: &canvas)
            guard top + line == selected else { continue }
            canvas.put(">", place.row, place.column)
            canvas.select(place, isFocused: screen.focus == pane)
        }
    }

    private var count: Int {
        switch pane {
        case .chapters: screen.chapters.count
        case .settings: screen.settings.shown.count
        default: screen.errors.sentences.count
        }
    }

    private var selected: Int {
        switch pane {
        case .chapters: screen.chapterCursor.index
        case .settings: screen.settings.cursor.index
        default: screen.errors.cursor.index
        }
    }

    private var emptyText: String {
        switch pane {
        case .chapters: screen.player?.item == nil ? "Nothing is playing." : "No chapters."
        case .settings: "No settings."
        default: "No errors."
        }
    }

    private func row(_ index: Int, in area: Area, on canvas: inout Canvas) {
        switch pane {
        case .chapters: ChapterRow(screen: screen).draw(index, in: area, on: &canvas)
        case .settings:
            let setting = screen.settings.shown[index]
            let width = min(24, max(8, area.columns / 2))
            canvas.text(setting.name, in: area.inset(left: 0, right: area.columns - width))
            canvas.text(setting.value, in: area.inset(left: width + 1), CellStyle(bold: true))
        default: canvas.text(screen.errors.sentences[index], in: area)
        }
    }
}

/// A chapter with its start; the playing one is bold.
struct ChapterRow {
    let screen: Screen

    func draw(_ index: Int, in area: Area, on canvas: inout Canvas) {
        guard screen.chapters.indices.contains(index) else { return }
        let chapter = screen.chapters[index]
        let isCurrent = index == screen.currentChapter
        let style = isCurrent ? CellStyle(.cyan, bold: true) : .plain
        let time = ShortTime.padded(ClockText.time(chapter.start, isEstimated: screen.areChaptersApproximate), 7)
        canvas.spaced(time, in: area, style)
        canvas.text(chapter.title ?? "Chapter \(index + 1)", in: area.inset(left: time.count + 1), style)
    }
}
