// SPDX-License-Identifier: GPL-3.0-or-later

/// A file name for an enclosure: words for people, then 64 bits of the URL's SHA-256 for uniqueness.
///
/// `https://example.org/shows/Episode%201.mp3?x=1` becomes `Episode-201-` and 16 digits and `.mp3`. Only ASCII
/// letters, digits, `-`, `_` and the one dot occur; the name never begins with a dash and has at most 82 bytes.
enum EpisodeFileName {
    private static let longestSlug = 60
    private static let extensions: Set<String> = [
        "mp3", "mp2", "mpga", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav",
    ]

    static func name(forEnclosure url: String, title: String?) -> String {
        let (stem, suffix) = parts(ofLastComponent: lastPathComponent(of: url))
        let slug = [slug(of: stem), slug(of: title ?? "")].first { !$0.isEmpty } ?? "episode"
        return "\(slug)-\(hash(of: url)).\(suffix)"
    }

    /// The text after the path's last slash, without query and fragment; empty where there is no path.
    private static func lastPathComponent(of url: String) -> Substring {
        var path = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.firstRange(of: "://") {
            let authority = path[scheme.upperBound...]
            path = authority.firstIndex(of: "/").map { authority[$0...] } ?? ""
        }
        return path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
    }

    private static func parts(ofLastComponent text: Substring) -> (stem: Substring, suffix: String) {
        guard let dot = text.lastIndex(of: ".") else { return (text, "mp3") }
        let suffix = text[text.index(after: dot)...].lowercased()
        return extensions.contains(suffix) ? (text[..<dot], suffix) : (text, "mp3")
    }

    /// Runs of other characters become one dash; none stands at either end.
    private static func slug(of text: some StringProtocol) -> String {
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
