// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// One finished element as the drafts read it.
struct FeedLeaf {
    let element: FeedElement
    let attributes: ElementAttributes
    let text: [UInt8]
    /// What relative references are resolved against.
    let base: String?

    /// For reading: one line of plain text.
    var line: String? { element.isTextConstruct ? words.line : PlainText.line(text) }
    /// For reading, with its form.
    var words: FeedText {
        FeedText(text, form: element.isTextConstruct ? FeedText.Form(attributes) : .undeclared, base: base)
    }
    /// Trimmed, nothing else.
    var token: String? { PlainText.token(text) }
    var keyword: String? { token?.lowercased() }
    /// An address; markup in its place is none.
    var url: String? {
        text.first { !ASCII.isSpace($0) } == UInt8(ascii: "<") ? nil : WebURL.resolve(text, base: base)
    }
    var date: UTCTime? { RFC822Date.parse(text) }
    /// A number above 0.
    var ordinal: Int? { Self.ordinal(text) }
    var flag: Bool? { Self.flag(keyword) }

    /// A person of `mail@host (Name)` by name.
    var person: String? {
        guard let line, line.last == ")", let bracket = line.firstIndex(of: "("), line[..<bracket].contains("@") else {
            return line
        }
        let name = line[line.index(after: bracket)...].dropLast()
        return name.isEmpty ? line : String(name)
    }

    /// Not an address with something in front, like `href=https://...`.
    private var isAbsoluteOrPath: Bool {
        guard let token, token.contains("://") else { return true }
        return token.lowercased().hasPrefix("http")
    }

    /// A mail address, of `mail@host (Name)` too.
    var mail: String? {
        token?.split(whereSeparator: \.isWhitespace).first { $0.contains("@") }.map(String.init)
    }

    /// Picture references: an attribute in one vocabulary, text in another.
    var picture: String? { url("href") ?? url("url") ?? (isAbsoluteOrPath ? url : nil) }
    /// The picture of an `itunes:link`, as feeds of 2005 have it.
    var imageLink: String? { token("rel")?.lowercased() == "image" ? url("href") : nil }
}

extension FeedLeaf {
    func token(_ attribute: String) -> String? {
        attributes[attribute].flatMap(PlainText.token)
    }

    func line(_ attribute: String) -> String? {
        attributes[attribute].flatMap(PlainText.line)
    }

    func url(_ attribute: String) -> String? {
        attributes[attribute].flatMap { WebURL.resolve($0, base: base) }
    }

    func date(_ attribute: String) -> UTCTime? {
        attributes[attribute].flatMap(RFC822Date.parse)
    }

    func ordinal(_ attribute: String) -> Int? {
        attributes[attribute].flatMap(Self.ordinal)
    }

    func flag(_ attribute: String) -> Bool? {
        Self.flag(token(attribute)?.lowercased())
    }

    /// A claimed number of bytes, above 0.
    func byteCount(_ attribute: String) -> Int64? {
        ordinal(attribute).map(Int64.init)
    }

    /// - Parameter size: the attribute that holds the length.
    func enclosure(url attribute: String, size: String) -> ParsedEnclosure? {
        url(attribute).map { ParsedEnclosure(url: $0, type: token("type")?.lowercased(), length: byteCount(size)) }
    }

    private static func ordinal(_ text: [UInt8]) -> Int? {
        ASCII.number(ASCII.trimmed(text)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// `yes`, `true`, `explicit` against `no`, `false`, `clean`.
    private static func flag(_ keyword: String?) -> Bool? {
        switch keyword {
        case "yes", "true", "explicit": true
        case "no", "false", "clean": false
        default: nil
        }
    }
}
