// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// The last row: the typed line, a message, or the valid keys.
struct FooterView {
    let screen: Screen
    let layout: Layout

    func draw(on canvas: inout Canvas) {
        let area = layout.footer
        guard area.rows > 0 else { return }
        if let help = screen.help {
            line("help: ", help.editor, in: area, on: &canvas, movesCursor: false)
        } else if let typing = screen.typing {
            completions(typing, on: &canvas)
            line(typing.label, typing.editor, in: area, on: &canvas, movesCursor: true)
        } else if let message = screen.message {
            let style = message.isError ? CellStyle(.red, bold: true) : CellStyle(bold: true)
            let place = area.inset(left: layout.kind == .tiny ? 0 : 1)
            canvas.text(Self.fitted(message.text, to: place.columns, canvas.glyphs.ellipsis), in: place, style)
        } else {
            keys(in: area, on: &canvas)
        }
    }

    /// Shortens the subject of a sentence such as "https://example.org/1.mp3: the server answered 404 Not Found", so
    /// that a long address does not hide the reason.
    static func fitted(_ text: String, to columns: Int, _ ellipsis: String) -> String {
        guard text.terminalColumns > columns else { return text }
        let ranges = text.ranges(of: ": ")
        guard let end = (text.hasPrefix("http") ? ranges.first : ranges.last)?.lowerBound else { return text }
        let room = columns - text[end...].terminalColumns
        guard room >= 8 else { return text }
        return PrintableText(text[..<end]).cut(to: room, ellipsis: ellipsis).text + text[end...]
    }

    /// Draws as many valid keys as fit, each whole.
    private func keys(in area: Area, on canvas: inout Canvas) {
        var place = area.inset(left: layout.kind == .tiny ? 0 : 1)
        for entry in FooterKeys(screen).fitting(place.columns) {
            let key = canvas.text(entry.key, in: place, CellStyle(bold: true))
            canvas.text(entry.word, in: place.inset(left: key + 1))
            place = place.inset(left: entry.columns + 2)
        }
    }

    /// Draws the typed line, scrolled so that the cursor is visible.
    private func line(
        _ label: String, _ editor: LineEditor, in area: Area, on canvas: inout Canvas, movesCursor: Bool
    ) {
        let start = canvas.spaced(label, in: area, CellStyle(bold: true))
        let room = area.inset(left: start)
        var first = 0
        let widths = editor.head.map { CellText(keepingSpaces: String($0), canvas.traits).columns }
        var columns = widths.reduce(0, +)
        while columns >= room.columns, first < widths.count {
            columns -= widths[first]
            first += 1
        }
        canvas.spaced(String(editor.characters[first...]), in: room)
        guard movesCursor else { return }
        canvas.grid.cursor = CellPlace(row: area.row, column: min(area.endColumn - 1, room.column + columns))
        canvas.grid.isTyping = true
    }

    /// Shows the completions above the command line.
    private func completions(_ typing: Typing, on canvas: inout Canvas) {
        guard typing.completions.count > 1, layout.footer.row > 0 else { return }
        var area = Area(row: layout.footer.row - 1, column: 0, rows: 1, columns: layout.footer.columns)
        canvas.spaced(String(repeating: " ", count: area.columns), in: area)
        let first = max(0, (typing.completion ?? 0) - 2)
        for (index, text) in typing.completions.enumerated().dropFirst(first) where area.columns > 2 {
            let isChosen = index == typing.completion
            let width = canvas.text(text, in: area.inset(left: 1), CellStyle(reverse: isChosen))
            area = area.inset(left: width + 2)
        }
    }
}

/// The keys of the footer, with words that fit the selected row.
struct FooterKeys {
    struct Entry: Equatable {
        var action: ScreenAction
        var key: String
        var word: String

        var columns: Int { key.terminalColumns + 1 + word.terminalColumns }
    }

    /// The keys for which the others give way on a narrow screen, the most important one first.
    private static let first: [ScreenAction] = [
        .retry, .open, .queue, .download, .mark, .close, .filter, .quit, .command, .undo,
    ]

    private let screen: Screen

    init(_ screen: Screen) { self.screen = screen }

    var entries: [Entry] {
        let order: [ScreenAction] =
            screen.reader == nil
            ? [
                .retry, .open, .queue, .queueNext, .download, .mark, .remove, .bookmark, .filter, .close, .command,
                .undo, .quit, .help, .toggle, .notes, .subscribe, .refresh,
            ] : [.open, .close, .filter, .nextMatch, .toggle, .bookmark, .command, .quit, .help]
        return (begin + order.filter { !begin.contains($0) }).filter(screen.isValid).compactMap { action in
            screen.keys.keyName(action).map { Entry(action: action, key: $0, word: word(action)) }
        }
    }

    /// Without podcasts, only this key leads to any episodes.
    private var begin: [ScreenAction] { screen.hasNoPodcasts && screen.reader == nil ? [.subscribe] : [] }

    /// Returns the keys that fit, in the order of `entries`.
    func fitting(_ columns: Int) -> [Entry] {
        let entries = entries
        let first = begin + Self.first
        let ranked = first.compactMap { action in entries.first { $0.action == action } }
        var room = columns + 2
        var shown: [ScreenAction] = []
        for entry in ranked + entries.filter({ !first.contains($0.action) }) where entry.columns + 2 <= room {
            room -= entry.columns + 2
            shown.append(entry.action)
        }
        return entries.filter { shown.contains($0.action) }
    }

    private func word(_ action: ScreenAction) -> String {
        switch action {
        case .open: openWord
        case .mark: screen.focusedEpisode?.progress == .played ? "unplayed" : "played"
        case .toggle: screen.player?.activity == .playing ? "pause" : "play"
        default: action.word
        }
    }

    private var openWord: String {
        if screen.reader != nil { return "play from here" }
        return switch screen.focus {
        case .podcasts: "episodes"
        case .chapters: "play chapter"
        case .settings: "change"
        case .errors: "read"
        default: "play"
        }
    }
}
