// SPDX-License-Identifier: GPL-3.0-or-later

/// The help: the keys of this view first, then all others, then the commands; typed words select.
struct HelpState: Sendable, Equatable {
    enum Row: Sendable, Hashable {
        case action(ScreenAction, isValid: Bool)
        case command(CommandWord)
    }

    var editor = LineEditor()
    var cursor = ListCursor()
    private let all: [Row]
    private(set) var rows: [Row]

    init(valid: [ScreenAction], commands: [CommandWord]) {
        let others = ScreenAction.allCases.filter { !valid.contains($0) }
        all =
            valid.map { .action($0, isValid: true) } + others.map { .action($0, isValid: false) }
            + commands.map(Row.command)
        rows = all
    }

    var selected: Row? { rows.indices.contains(cursor.index) ? rows[cursor.index] : nil }

    mutating func select() {
        let words = editor.text
        rows = all.filter { TextMatch.contains($0.text, words) }
        cursor = ListCursor()
    }
}

extension HelpState.Row {
    /// The searchable text.
    var text: String {
        switch self {
        case .action(let action, _): action.rawValue + " " + action.help
        case .command(let command): "earshot " + command.name + " " + command.help
        }
    }
}
