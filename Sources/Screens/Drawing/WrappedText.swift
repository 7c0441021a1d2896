// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// Breaks paragraphs into lines. The widths are those of Earshot's own table, which no terminal exceeds, so that the
/// lines do not depend on the terminal.
enum WrappedText {
    /// Longer text is cut: no notes are that long.
    private static let mostCharacters = 200_000

    static func lines(_ paragraph: String, width: Int) -> [String] {
        let width = max(2, width)
        var lines: [String] = []
        var line = ""
        var columns = 0
        for word in PrintableText(paragraph.prefix(mostCharacters)).text.split(separator: " ") {
            let wordColumns = word.terminalColumns
            if columns > 0, columns + 1 + wordColumns <= width {
                line += " " + word
                columns += 1 + wordColumns
                continue
            }
            if columns > 0 { lines.append(line) }
            (line, columns) = append(word, width: width, to: &lines)
        }
        if columns > 0 || lines.isEmpty { lines.append(line) }
        return lines
    }

    /// Breaks a line in which spaces align columns, and keeps those spaces.
    static func aligned(_ line: String, width: Int) -> [String] {
        let width = max(2, width)
        var rows: [String] = []
        var row = ""
        var columns = 0
        for character in PrintableText(keepingSpaces: String(line.prefix(mostCharacters)), cutTo: .max).text {
            if columns + character.terminalColumns > width {
                let rest = cutLastWord(of: &row)
                rows.append(row)
                (row, columns) = (rest, rest.terminalColumns)
            }
            guard character != " " || !row.isEmpty || rows.isEmpty else { continue }
            row.append(character)
            columns += character.terminalColumns
        }
        if !row.isEmpty || rows.isEmpty { rows.append(row) }
        return rows
    }

    /// Removes the last word of a row; a row of one word stays whole.
    private static func cutLastWord(of row: inout String) -> String {
        guard let space = row.lastIndex(of: " "), row[..<space].contains(where: { $0 != " " }) else { return "" }
        let rest = String(row[row.index(after: space)...])
        row = String(row[..<space])
        return rest
    }

    /// Appends the full lines of a word that is wider than a line.
    /// - Returns: the rest of the word, and its columns.
    private static func append(_ word: Substring, width: Int, to lines: inout [String]) -> (String, Int) {
        var line = ""
        var columns = 0
        for character in word {
            let more = character.terminalColumns
            if columns + more > width, columns > 0 {
                lines.append(line)
                (line, columns) = ("", 0)
            }
            line.append(character)
            columns += more
        }
        return (line, columns)
    }
}
