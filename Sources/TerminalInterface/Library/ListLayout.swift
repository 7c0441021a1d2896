// SPDX-License-Identifier: GPL-3.0-or-later

/// How a list is laid out: for a terminal so wide, or in full for whatever reads it.
public struct ListLayout: Sendable, Equatable {
    /// Columns; `nil` for what is no terminal: there nothing is cut.
    public var width: Int?
    public var glyphs: LineStyle.Glyphs

    public init(width: Int? = nil, glyphs: LineStyle.Glyphs = .unicode) {
        (self.width, self.glyphs) = (width, glyphs)
    }

    var ellipsis: String { glyphs == .unicode ? "…" : "..." }

    func text(_ raw: String) -> PrintableText {
        PrintableText(raw, asciiOnly: width != nil && glyphs == .ascii)
    }

    /// Cut and filled to `columns`, so that what follows stands in a column.
    func cell(_ raw: String, _ columns: Int) -> String {
        let cut = text(raw).cut(to: columns, ellipsis: ellipsis)
        return cut.text + Self.blanks(columns - cut.columns)
    }

    /// Blocks of lines with an empty line between them; none for an empty one.
    static func page(_ blocks: [[String]]) -> ReportText {
        let texts = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
        return .output(texts.joined(separator: "\n"))
    }

    static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    static func rightAligned(_ text: String, _ columns: Int) -> String {
        blanks(columns - PrintableText.columns(of: text)) + text
    }
}
