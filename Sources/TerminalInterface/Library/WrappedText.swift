// SPDX-License-Identifier: GPL-3.0-or-later

/// Text broken into lines between its words.
enum WrappedText {
    /// - Parameter columns: `nil` is one line. A word that is longer stands in a line of its own.
    static func lines(_ text: PrintableText, columns: Int?, indent: Int = 0) -> [String] {
        guard let columns, text.columns + indent > columns else { return text.text.isEmpty ? [] : [text.text] }
        var lines: [String] = []
        var (line, used) = ("", 0)
        for word in text.text.split(separator: " ") {
            let width = PrintableText.columns(of: String(word))
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
