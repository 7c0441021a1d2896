// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// The right pane of a wide screen: the current episode and the queue.
struct SideView {
    let screen: Screen
    let layout: Layout

    func draw(_ side: (now: Area, queue: Area), on canvas: inout Canvas) {
        now(in: side.now, on: &canvas)
        guard let queue = screen.lists[.queue] else { return }
        for index in 0..<max(0, min(side.queue.rows, queue.count)) {
            guard let row = queue.row(index) else { continue }
            let area = side.queue.line(index).inset(left: 0, right: 1)
            let number = ShortTime.padded("\(index + 1)", 2)
            canvas.spaced(number, in: area, CellStyle(dim: true))
            let time = row.duration.map { ClockText.time($0) } ?? ""
            canvas.text(time, in: area, .plain, .right)
            canvas.text(row.title, in: area.inset(left: 3, right: time.count + 1))
        }
    }

    private func now(in area: Area, on canvas: inout Canvas) {
        guard let item = screen.player?.item else {
            canvas.text("Nothing is playing.", in: area.line(0), CellStyle(dim: true))
            return
        }
        let hasCover = CoverView(screen: screen, area: layout.cover).draw(on: &canvas)
        var rest = area
        if hasCover, let cover = layout.cover { rest = area.split(top: cover.endRow - area.row + 1).bottom }
        canvas.text(item.title, in: rest.line(0).inset(left: 0, right: 1), CellStyle(bold: true))
        if rest.rows > 1 {
            canvas.text(item.podcast ?? "", in: rest.line(1).inset(left: 0, right: 1), CellStyle(dim: true))
        }
        let list = rest.split(top: 3).bottom
        let first = max(0, min((screen.begunChapter ?? 0) - list.rows / 2, screen.chapters.count - list.rows))
        for line in 0..<max(0, min(list.rows, screen.chapters.count - first)) {
            let place = list.line(line).inset(left: 0, right: 1)
            ChapterRow(screen: screen).draw(first + line, in: place.inset(left: 2), on: &canvas)
            if first + line == screen.currentChapter { canvas.put(">", place.row, place.column) }
        }
    }
}

/// The cover of the playing episode.
struct CoverView {
    let screen: Screen
    let area: Area?

    /// - Returns: false if there is no cover.
    func draw(on canvas: inout Canvas) -> Bool {
        guard let area, let cover = screen.cover, cover.request.episode == screen.playingEpisode,
            let picture = cover.picture
        else { return false }
        switch picture {
        case .none: return false
        case .drawnByTerminal:
            // A picture of another size would cover its neighbours.
            guard cover.request.columns == area.columns, cover.request.rows == area.rows else { return false }
            canvas.grid.cover = PlacedCover(cover.request, at: CellPlace(row: area.row, column: area.column))
        case .cells(let rows):
            for (line, cells) in rows.prefix(area.rows).enumerated() {
                for (column, cell) in cells.prefix(area.columns).enumerated() {
                    draw(cell, area.row + line, area.column + column, on: &canvas)
                }
            }
        }
        return true
    }

    private func draw(_ cell: Cell, _ row: Int, _ column: Int, on canvas: inout Canvas) {
        let text = CellText(keepingSpaces: String(cell.character), canvas.traits)
        let isOne = text.clusters.count == 1 && text.columns == 1
        canvas.put(isOne ? text.clusters[0].character : " ", row, column, cell.style)
    }
}
