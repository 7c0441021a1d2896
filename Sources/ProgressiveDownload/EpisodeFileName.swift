// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer

/// A file name for an enclosure: words for people, then 64 bits of the URL's SHA-256 for uniqueness.
///
/// `https://example.org/shows/Episode%201.mp3?x=1` becomes `Episode-201-` and 16 digits and `.mp3`. Only ASCII
/// letters, digits, `-`, `_` and the one dot occur; the name never begins with a dash and has at most 82 bytes.
enum EpisodeFileName {
    private static let longestSlug = 60
    private static let extensions: Set<String> = [
        "mp3", "mp2", "mpga", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav",
    ]

    /// The words come from the last part of the path that has any, else from the host: the URL alone decides, so that
    /// whoever comes to an enclosure, through whichever feed, finds the same file.
    static func name(forEnclosure url: String) -> String {
        let address = RedactedURL(url)
        let components = [Substring(address.authority)] + address.path.split(separator: "/")
        for component in components.reversed() {
            let (stem, suffix) = parts(of: component)
            let words = slug(of: stem)
            if !words.isEmpty { return "\(words)-\(hash(of: url)).\(suffix)" }
        }
        return "episode-\(hash(of: url)).mp3"
    }

    private static func parts(of text: Substring) -> (stem: Substring, suffix: String) {
        guard let dot = text.lastIndex(of: ".") else { return (text, "mp3") }
        let suffix = text[text.index(after: dot)...].lowercased()
        return extensions.contains(suffix) ? (text[..<dot], suffix) : (text, "mp3")
    }

    /// Runs of other characters become one dash; none stands at either end.
    private static func slug(of text: Substring) -> String {
        let words = text.utf8.split { !isPlain($0) }.map { String(decoding: $0, as: UTF8.self) }
        let long = words.joined(separator: "-").prefix(longestSlug)
        return String(long.drop { $0 == "-" || $0 == "_" })
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func hash(of url: String) -> String {
        SHA256.digest(of: url.utf8).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
