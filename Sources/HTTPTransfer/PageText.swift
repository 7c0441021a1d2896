// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Extracts the text of a page received instead of audio or a feed, as one line for the log.
enum PageText {
    /// The number of bytes of the page that are examined.
    static let prefixLength = 2048
    /// The maximum number of characters of the line.
    static let longest = 500

    /// - Parameters:
    ///   - bytes: the beginning of a body.
    ///   - urls: the requested URLs of all hops. Pages repeat them, so the values of their queries and the random parts
    ///     of their paths are masked.
    /// - Returns: `nil` if the bytes are not text.
    static func of(_ bytes: some Collection<UInt8>, urls: [String]) -> String? {
        let prefix = Array(bytes.prefix(prefixLength))
        let isText = !prefix.contains { $0 < 0x09 || 0x0E..<0x20 ~= $0 && $0 != 0x1B }
        guard !prefix.isEmpty, isText, AudioSniffer.look(at: prefix) != .audio else { return nil }
        let words = String(decoding: prefix, as: UTF8.self).unicodeScalars.split { isBlank($0) }
        let line = words.map { String(String.UnicodeScalarView($0.filter(isPrintable))) }
            .filter { !$0.isEmpty }.joined(separator: " ")
        let text = urls.flatMap(secrets).reduce(line) { $0.replacing($1, with: "…") }
        return text.isEmpty ? nil : String(text.prefix(longest))
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace
    }

    /// Returns false for control characters, directional marks and invisible characters.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        default: scalar != "\u{FFFD}"
        }
    }

    /// Returns the words of the query that are long enough to be a token, and the random parts of the path with their
    /// sections: a page may show them separately.
    private static func secrets(of url: String) -> [String] {
        let url = WebURL(url)
        let words = [url.query, url.fragment].compactMap(\.self).flatMap { $0.split { "?&;=#".contains($0) } }
        let shown = url.withoutSecrets(isPrivate: true).path.split(separator: "/")
        let hidden: [Substring] = zip(url.path.split(separator: "/"), shown).filter { $0 != $1 }
            .flatMap { part, _ in [part] + part.split { !$0.isLetter && !$0.isNumber } }
        return (words + hidden).map(String.init).filter { $0.utf8.count >= 6 }
    }
}
