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
