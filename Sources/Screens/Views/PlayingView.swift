// SPDX-License-Identifier: GPL-3.0-or-later

/// The cover and the titles above the chapters in the view of the playing episode.
struct PlayingView {
    let screen: Screen
    let layout: Layout

    func draw(on canvas: inout Canvas) {
        guard let list = layout.panes[.chapters], let item = screen.player?.item else { return }
        _ = CoverView(screen: screen, area: layout.cover).draw(on: &canvas)
        let first = Area(row: list.row - 3, column: list.column + 1, rows: 1, columns: list.columns - 2)
        guard first.row >= layout.body.row else { return }
        canvas.text(item.title, in: first, CellStyle(bold: true))
        canvas.text(
            item.podcast ?? "", in: Area(row: first.row + 1, column: first.column, rows: 1, columns: first.columns))
    }
}
