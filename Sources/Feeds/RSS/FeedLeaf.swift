// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// One finished element as the drafts read it.
struct FeedLeaf {
    let attributes: ElementAttributes
    let text: [UInt8]
    /// What relative references are resolved against.
    let base: String?

    /// For reading: one line of plain text.
    var line: String? { PlainText.line(text) }
    /// Trimmed, nothing else.
    var token: String? { PlainText.token(text) }
    var keyword: String? { token?.lowercased() }
    var url: String? { WebURL.resolve(text, base: base) }
    var date: UTCTime? { RFC822Date.parse(text) }

    /// A number above 0.
    var ordinal: Int? { ASCII.number(ASCII.trimmed(text)).flatMap { $0 > 0 ? $0 : nil } }

    /// `yes`, `true`, `explicit` against `no`, `false`, `clean`.
    var flag: Bool? {
        switch keyword {
        case "yes", "true", "explicit": true
        case "no", "false", "clean": false
        default: nil
        }
    }

    /// A person of `mail@host (Name)` by name.
    var person: String? {
        guard let line, line.last == ")", let bracket = line.firstIndex(of: "("), line[..<bracket].contains("@") else {
            return line
        }
        let name = line[line.index(after: bracket)...].dropLast()
        return name.isEmpty ? line : String(name)
    }

    func token(_ attribute: String) -> String? {
        attributes[attribute].flatMap(PlainText.token)
    }

    func line(_ attribute: String) -> String? {
        attributes[attribute].flatMap(PlainText.line)
    }

    func url(_ attribute: String) -> String? {
        attributes[attribute].flatMap { WebURL.resolve($0, base: base) }
    }

    /// Picture references: an attribute in one vocabulary, text in another.
    var picture: String? { url("href") ?? url("url") ?? url }

    func relation(_ name: String) -> Bool {
        (token("rel") ?? "alternate").lowercased() == name
    }

    /// - Parameter size: the attribute that holds the length.
    func enclosure(url attribute: String, size: String) -> ParsedEnclosure? {
        url(attribute).map { url in
            let length = attributes[size].flatMap { ASCII.number(ASCII.trimmed($0)) }.map(Int64.init)
            return ParsedEnclosure(
                url: url, type: token("type")?.lowercased(), length: length.flatMap { $0 > 0 ? $0 : nil })
        }
    }
}
