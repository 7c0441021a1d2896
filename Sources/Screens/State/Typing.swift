// SPDX-License-Identifier: GPL-3.0-or-later

/// A line that the listener types in the footer.
struct Typing: Sendable, Equatable {
    enum Purpose: Sendable, Equatable {
        case filter(Pane)
        case readerSearch
        case find
        case command
    }

    let purpose: Purpose
    var editor: LineEditor
    /// The completions of the command line, and the line before the first of them was taken.
    var completions: [String] = []
    var completion: Int?
    /// The place in the history of commands; `nil` for a new line.
    var recalled: Int?

    init(_ purpose: Purpose, _ text: String = "") {
        (self.purpose, editor) = (purpose, LineEditor(text))
    }

    var label: String {
        switch purpose {
        case .filter, .readerSearch: "/"
        case .find: "find: "
        case .command: ":"
        }
    }
}
