// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The layout of a list: limited to the width of a terminal, or in full for other readers.
public struct ListLayout: Sendable, Equatable {
    /// The columns of the terminal; `nil` for other outputs, where nothing is truncated.
    public var width: Int?
    public var glyphs: LineStyle.Glyphs

    public init(width: Int? = nil, glyphs: LineStyle.Glyphs = .unicode) {
        (self.width, self.glyphs) = (width, glyphs)
    }

    var ellipsis: String { glyphs == .unicode ? "…" : "..." }

    func text(_ raw: String) -> PrintableText {
        PrintableText(raw, asciiOnly: width != nil && glyphs == .ascii)
    }

    /// Returns the text truncated or padded to `columns`.
    func cell(_ raw: String, _ columns: Int) -> String {
        let cut = text(raw).cut(to: columns, ellipsis: ellipsis)
        return cut.text + Self.blanks(columns - cut.columns)
    }

    /// Returns the non-empty blocks of lines, separated by empty lines.
    static func page(_ blocks: [[String]]) -> ReportText {
        let texts = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
        return .output(texts.joined(separator: "\n"))
    }

    static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    static func rightAligned(_ text: String, _ columns: Int) -> String {
        blanks(columns - text.terminalColumns) + text
    }
}
