// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Labels and values in two columns.
struct FactLines {
    private let layout: ListLayout
    private var facts: [(label: String, value: String)] = []

    init(_ layout: ListLayout) { self.layout = layout }

    /// Adds a line unless the value is missing or empty.
    mutating func add(_ label: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        facts.append((label, value))
    }

    var lines: [String] {
        let columns = (facts.map(\.label.count).max() ?? 0) + 2
        return facts.flatMap { label, value in
            let wrapped = WrappedText.lines(layout.text(value), columns: layout.width, indent: columns)
            return wrapped.enumerated().map { place, line in
                (place == 0 ? label + ListLayout.blanks(columns - label.count) : ListLayout.blanks(columns)) + line
            }
        }
    }
}

/// Text wrapped between words.
enum WrappedText {
    /// Returns the lines; a word that is longer than a line gets its own line.
    /// - Parameter columns: the width of a line; `nil` for a single line.
    static func lines(_ text: PrintableText, columns: Int?, indent: Int = 0) -> [String] {
        guard let columns, text.columns + indent > columns else { return text.text.isEmpty ? [] : [text.text] }
        var lines: [String] = []
        var (line, used) = ("", 0)
        for word in text.text.split(separator: " ") {
            let width = word.terminalColumns
            if used > 0, used + 1 + width + indent > columns {
                lines.append(line)
                (line, used) = ("", 0)
            }
            line += (used > 0 ? " " : "") + word
            used += (used > 0 ? 1 : 0) + width
        }
        return lines + [line]
    }
}
