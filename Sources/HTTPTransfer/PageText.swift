// SPDX-License-Identifier: GPL-3.0-or-later

/// What a page says that came instead of audio or a feed, as one line for the log.
enum PageText {
    /// Bytes of the page that are looked at.
    static let prefixLength = 2048
    /// Characters of the line.
    static let longest = 500

    /// - Parameters:
    ///   - bytes: the beginning of a body.
    ///   - urls: what was asked for, on each hop: pages repeat it, so the values of the queries are blotted out.
    /// - Returns: `nil` where the bytes are no text.
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

    /// Neither controls nor what turns the direction of text or cannot be seen.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        default: scalar != "\u{FFFD}"
        }
    }

    /// Words of the query that are long enough to be a token.
    private static func secrets(of url: String) -> [String] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[mark...].split { "?&;=#".contains($0) }.map(String.init).filter { $0.utf8.count >= 6 }
    }
}
