// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// Long text over the panes.
struct ReaderView {
    let reader: Reader
    let layout: Layout

    func draw(on canvas: inout Canvas) {
        let body = layout.body
        heading(on: &canvas)
        canvas.grid.cursor = CellPlace(row: body.row, column: body.column)
        guard reader.paragraphs != nil else {
            canvas.text("loading...", in: body.line(0).inset(left: 1), CellStyle(dim: true))
            return
        }
        var copy = reader
        copy.settle(width: Screen.readerWidth(layout), height: body.rows)
        for line in 0..<max(0, min(body.rows, copy.lines.count - copy.top)) {
            draw(copy, copy.top + line, in: body.line(line).inset(left: 1, right: 1), on: &canvas)
        }
    }

    private func heading(on canvas: inout Canvas) {
        guard let titles = layout.titles else { return }
        canvas.rule(titles.row, 0..<titles.columns, title: reader.title, isFocused: true)
    }

    private func style(of index: Int, in reader: Reader) -> CellStyle {
        CellStyle(bold: reader.heard.contains(index), reverse: reader.matches(index))
    }

    private func draw(_ reader: Reader, _ index: Int, in area: Area, on canvas: inout Canvas) {
        let line = reader.lines[index]
        var rest = area
        if let time = line.time {
            let text = ClockText.time(time, isEstimated: line.isApproximate)
            canvas.text(text, in: area, CellStyle(.cyan))
            rest = area.inset(left: text.count + 1)
        }
        canvas.spaced(line.text, in: rest, style(of: index, in: reader))
    }
}

/// The keys, with what they do.
struct HelpView {
    let help: HelpState
    let screen: Screen
    let layout: Layout

    func draw(on canvas: inout Canvas) {
        let body = layout.body
        if let titles = layout.titles {
            canvas.rule(titles.row, 0..<titles.columns, title: "Help: type words, Enter runs", isFocused: true)
        }
        canvas.grid.cursor = CellPlace(row: body.row, column: 0)
        guard !help.rows.isEmpty else {
            canvas.text("Nothing has these words.", in: body.line(0).inset(left: 2), CellStyle(dim: true))
            return
        }
        let top = help.cursor.visibleTop(height: body.rows, count: help.rows.count)
        for line in 0..<max(0, min(body.rows, help.rows.count - top)) {
            let place = body.line(line)
            row(help.rows[top + line], in: place.inset(left: 2), on: &canvas)
            guard top + line == help.cursor.index else { continue }
            canvas.put(">", place.row, 0)
            canvas.select(place, isFocused: true)
        }
    }

    private func row(_ row: HelpState.Row, in area: Area, on canvas: inout Canvas) {
        let width = area.columns >= 40 ? 16 : 6
        let rest = area.inset(left: width)
        switch row {
        case .action(let action, let isValid):
            let keys = screen.keys.keyNames(action).joined(separator: " ")
            canvas.text(keys, in: area.inset(left: 0, right: rest.columns + 1), CellStyle(bold: true))
            canvas.text(action.help, in: rest, isValid ? .plain : CellStyle(dim: true))
        case .command(let command):
            canvas.text(":" + command.name, in: area.inset(left: 0, right: rest.columns + 1), CellStyle(bold: true))
            canvas.text(command.help, in: rest)
        }
    }
}
