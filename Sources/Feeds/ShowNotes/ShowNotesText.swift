// SPDX-License-Identifier: GPL-3.0-or-later

/// Show notes as plain text, of the HTML that `ParsedEpisode.contentHTML` holds.
public enum ShowNotesText {
    /// What becomes of an address behind a link's words.
    public enum Links: Sendable {
        /// `words <address>`.
        case inline
        /// `words [1]`, and the addresses in a list at the end.
        case footnotes
        case none
    }

    /// For a terminal: paragraphs with an empty line between, lists with bullets, quotations with bars.
    /// - Parameter width: columns of a line; only an address may be longer.
    /// - Returns: lines without control characters.
    public static func lines(_ html: String, width: Int, links: Links = .footnotes) -> [String] {
        var html = html
        return html.withUTF8 { html in
            var layout = ShowNotesLayout(width: width, links: links)
            layout.read(html)
            return layout.finish()
        }
    }

    /// For a search in full text: all words on one line.
    public static func words(_ html: String) -> String {
        var html = html
        return html.withUTF8 { html in
            var words = PlainWords()
            var tokens = HTMLTokenizer(html)
            while let token = tokens.next() {
                switch token {
                case .text(let text): words.append(html: text)
                case .hidden: break
                case .tag(let tag):
                    let kind = HTMLElement.kind(of: tag.name)
                    if kind != .inline { words.endWord() }
                    if kind == .hidden, !tag.isEnd { tokens.skipElement(tag.name) }
                }
            }
            return String(decoding: words.bytes, as: UTF8.self)
        }
    }
}
