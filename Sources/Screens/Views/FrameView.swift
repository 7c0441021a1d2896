// SPDX-License-Identifier: GPL-3.0-or-later

/// The whole screen: the lines around the panes, and everything inside.
struct FrameView {
    let screen: Screen
    let layout: Layout

    func draw(on canvas: inout Canvas) {
        canvas.grid.cursor = CellPlace(row: max(0, layout.footer.row), column: 0)
        TabBar(screen, columns: layout.head.columns, layout.kind).draw(in: layout.head, on: &canvas)
        PlaybackLine(screen, layout).draw(on: &canvas)
        if layout.kind != .tiny { rules(on: &canvas) }
        if let help = screen.help {
            HelpView(help: help, screen: screen, layout: layout).draw(on: &canvas)
        } else if let reader = screen.reader {
            ReaderView(reader: reader, layout: layout).draw(on: &canvas)
        } else {
            panes(on: &canvas)
        }
        PlaybackLine(screen, layout).drawTitles(onRule: layout.body.endRow, &canvas)
        FooterView(screen: screen, layout: layout).draw(on: &canvas)
    }

    private func rules(on canvas: inout Canvas) {
        let all = 0..<layout.body.columns
        canvas.rule(layout.body.endRow, all)
        if layout.now.endRow < layout.footer.row { canvas.rule(layout.now.endRow, all) }
        if let titles = layout.titles { canvas.rule(titles.row, all) }
    }

    private func panes(on canvas: inout Canvas) {
        headings(on: &canvas)
        for (pane, area) in layout.panes { list(pane, area, on: &canvas) }
        if let details = layout.details { DetailsView(screen: screen).draw(in: details, on: &canvas) }
        if screen.tab == .playing, layout.kind != .tiny {
            PlayingView(screen: screen, layout: layout).draw(on: &canvas)
        }
        if let side = layout.side { SideView(screen: screen, layout: layout).draw(side, on: &canvas) }
    }

    private func list(_ pane: Pane, _ area: Area, on canvas: inout Canvas) {
        switch pane {
        case .podcasts: PodcastListView(screen: screen).draw(in: area, on: &canvas)
        case .chapters, .settings, .errors: PlainListView(screen: screen, pane: pane).draw(in: area, on: &canvas)
        default: EpisodeListView(screen: screen, pane: pane).draw(in: area, on: &canvas)
        }
    }

    /// Draws the titles of the panes into the lines above them, then the vertical lines between the panes.
    private func headings(on canvas: inout Canvas) {
        guard let titles = layout.titles else { return }
        for (pane, area) in layout.panes where layout.kind != .tiny {
            let row = pane == .chapters ? titles.row : area.row - 1
            let title = pane == .chapters ? "Now" : PaneTitle(screen).text(pane)
            canvas.rule(row, columns(of: area), title: title, isFocused: pane == screen.focus)
        }
        if let details = layout.details {
            let title = PaneTitle(screen).details
            let start = max(0, details.column - 1)
            canvas.rule(details.row - 1, start..<details.endColumn, title: title)
        }
        if let side = layout.side {
            let columns = side.now.column - 1..<side.now.endColumn
            canvas.rule(titles.row, columns, title: "Now")
            if side.queue.rows > 0 {
                canvas.rule(side.queue.row - 1, columns, title: PaneTitle(screen).text(.queue))
            }
        }
        for vertical in layout.verticals { separator(vertical, on: &canvas) }
    }

    private func columns(of area: Area) -> Range<Int> { area.column..<area.endColumn }

    /// Draws a vertical line that joins the horizontal ones.
    private func separator(_ line: Area, on canvas: inout Canvas) {
        let glyphs = canvas.glyphs
        let left = (line.row..<line.endRow).filter { canvas.grid[$0, line.column - 1].character == glyphs.horizontal }
        let right = (line.row..<line.endRow).filter { canvas.grid[$0, line.column + 1].character == glyphs.horizontal }
        canvas.vertical(line.column, line.row..<line.endRow)
        let inner = layout.rulesBeside(line)
        for row in inner.left.union(inner.right) where left.contains(row) || right.contains(row) {
            let isBoth = inner.left.contains(row) && inner.right.contains(row)
            let joint = isBoth ? glyphs.cross : inner.left.contains(row) ? glyphs.leftTee : glyphs.rightTee
            canvas.junction(joint, row, line.column)
        }
        canvas.junction(glyphs.downTee, line.row - 1, line.column)
        canvas.junction(glyphs.upTee, line.endRow, line.column)
    }
}

extension Layout {
    /// The rows of the horizontal lines that end at a vertical one.
    func rulesBeside(_ line: Area) -> (left: Set<Int>, right: Set<Int>) {
        var rules: [Area] = []
        if let details {
            rules.append(Area(row: details.row - 1, column: details.column - 1, rows: 1, columns: details.columns + 1))
        }
        if let side, side.queue.rows > 0 {
            rules.append(
                Area(row: side.queue.row - 1, column: side.queue.column - 1, rows: 1, columns: side.queue.columns + 1))
        }
        if let queue = panes[.queue], queue.row > body.row {
            rules.append(Area(row: queue.row - 1, column: queue.column, rows: 1, columns: queue.columns))
        }
        let inside = rules.filter { (line.row..<line.endRow).contains($0.row) }
        return (
            Set(inside.filter { $0.endColumn == line.column }.map(\.row)),
            Set(inside.filter { $0.column == line.column + 1 }.map(\.row))
        )
    }
}
