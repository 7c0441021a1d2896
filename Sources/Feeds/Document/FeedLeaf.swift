// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A finished element, as passed to the drafts.
struct FeedLeaf {
    let element: FeedElement
    let attributes: ElementAttributes
    let text: [UInt8]
    /// The base URL of relative references.
    let base: String?

    /// One line of plain text for display.
    var line: String? { element.isTextConstruct ? words.line : PlainText.line(text) }
    /// The text for display, with its form.
    var words: FeedText {
        FeedText(text, form: element.isTextConstruct ? FeedText.Form(attributes) : .undeclared, base: base)
    }
    /// The trimmed text.
    var token: String? { PlainText.token(text) }
    var keyword: String? { token?.lowercased() }
    /// The text as an absolute URL; `nil` if it begins with markup.
    var url: String? {
        text.first { !ASCII.isSpace($0) } == UInt8(ascii: "<") ? nil : WebURL.resolve(text, base: base)
    }
    var date: UTCTime? { RFC822Date.parse(text) }
    /// The text as a number above 0.
    var ordinal: Int? { Self.ordinal(text) }
    var flag: Bool? { Self.flag(keyword) }

    /// The name of a person; of `mail@host (Name)`, only the name.
    var person: String? {
        guard let line, line.last == ")", let bracket = line.firstIndex(of: "("), line[..<bracket].contains("@") else {
            return line
        }
        let name = line[line.index(after: bracket)...].dropLast()
        return name.isEmpty ? line : String(name)
    }

    /// True unless the text is a URL with a prefix, such as `href=https://...`.
    private var isAbsoluteOrPath: Bool {
        guard let token, token.contains("://") else { return true }
        return token.lowercased().hasPrefix("http")
    }

    /// The mail address in the text, also in the form `mail@host (Name)`.
    var mail: String? {
        token?.split(whereSeparator: \.isWhitespace).first { $0.contains("@") }.map(String.init)
    }

    /// The URL of a picture, from an attribute in some vocabularies and from the text in others.
    var picture: String? { url("href") ?? url("url") ?? (isAbsoluteOrPath ? url : nil) }
    /// The picture of an `itunes:link`, as used in feeds of 2005.
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

    /// Returns the declared number of bytes, above 0.
    func byteCount(_ attribute: String) -> Int64? {
        ordinal(attribute).map(Int64.init)
    }

    /// Returns the enclosure that the attributes describe.
    ///
    /// - Parameter size: the attribute that holds the length.
    func enclosure(url attribute: String, size: String) -> ParsedEnclosure? {
        url(attribute).map { ParsedEnclosure(url: $0, type: token("type")?.lowercased(), length: byteCount(size)) }
    }

    private static func ordinal(_ text: [UInt8]) -> Int? {
        ASCII.number(ASCII.trimmed(text)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns true for `yes`, `true` and `explicit`, false for `no`, `false` and `clean`.
    private static func flag(_ keyword: String?) -> Bool? {
        switch keyword {
        case "yes", "true", "explicit": true
        case "no", "false", "clean": false
        default: nil
        }
    }
}
