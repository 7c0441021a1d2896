// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Converts the HTML of `ParsedEpisode.contentHTML` to plain text.
public enum ShowNotesText {
    /// The placement of the URLs of links.
    public enum Links: Sendable {
        /// `words <address>`.
        case inline
        /// `words [1]`, with the URLs in a list at the end.
        case footnotes
        case none
    }

    /// Returns the show notes for a terminal: paragraphs separated by empty lines, lists with bullets, quotations
    /// with bars.
    ///
    /// - Parameter width: the maximum number of columns of a line; only a URL may be longer.
    /// - Returns: lines without control characters.
    public static func lines(_ html: String, width: Int, links: Links = .footnotes) -> [String] {
        var html = html
        return html.withUTF8 { html in
            var layout = ShowNotesLayout(width: width, links: links)
            layout.read(html)
            return layout.finish()
        }
    }

    /// Returns all words on one line, for full-text search.
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
