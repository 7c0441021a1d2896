// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer

/// A file name for an enclosure: words for people, then 64 bits of the URL's SHA-256 for uniqueness.
///
/// `https://example.org/shows/Episode%201.mp3?x=1` becomes `Episode-201-` and 16 digits and `.mp3`. Only ASCII
/// letters, digits, `-`, `_` and the one dot occur; the name never begins with a dash and has at most 83 bytes.
enum EpisodeFileName {
    private static let longestSlug = 60
    /// The endings that earlier versions kept; what had another one was called `.mp3`.
    private static let formerEndings: Set<String> = [
        "mp3", "mp2", "mpga", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav",
    ]

    /// The words come from the last part of the path that has any, else from the host: the URL alone decides, so that
    /// the same enclosure has the same file, whichever feed names it.
    /// - Parameter type: the media type, for a URL that has no ending.
    static func name(forEnclosure url: String, type: String? = nil) -> String {
        let (stem, ending) = parts(of: url, keeping: Set(AudioFileEnding.all))
        let fallback = type.flatMap(AudioFileEnding.ofType) ?? AudioFileEnding.standard
        return "\(stem)\(hash(of: url)).\(ending ?? fallback)"
    }

    /// Every name that a file of this enclosure may have, the one of a new file first: the ending follows the content
    /// once that is known, and earlier versions knew fewer endings.
    static func names(forEnclosure url: String, type: String? = nil) -> [String] {
        let hash = hash(of: url)
        let first = name(forEnclosure: url, type: type)
        let stem = parts(of: url, keeping: Set(AudioFileEnding.all)).stem
        let former = parts(of: url, keeping: formerEndings)
        let stems = stem == former.stem ? [stem] : [stem, former.stem]
        let others = stems.flatMap { stem in AudioFileEnding.all.map { "\(stem)\(hash).\($0)" } }
        return [first] + others.filter { $0 != first }
    }

    /// Whether a name can have been made here.
    static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, AudioFileEnding.all.contains(String(parts[1])) else { return false }
        let digits = parts[0].suffix(16)
        let words = parts[0].dropLast(16)
        return digits.count == 16 && digits.allSatisfy { "0"..."9" ~= $0 || "a"..."f" ~= $0 }
            && words.count > 1 && words.hasSuffix("-")
            && words.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
    }

    /// The words with the dash after them, and the ending where it is one of these.
    private static func parts(of url: String, keeping endings: Set<String>) -> (stem: String, ending: String?) {
        let address = RedactedURL(url)
        let components = [Substring(address.authority)] + address.path.split(separator: "/")
        for component in components.reversed() {
            let (stem, ending) = split(component, endings)
            let words = slug(of: stem)
            if !words.isEmpty { return (words + "-", ending) }
        }
        return ("episode-", nil)
    }

    private static func split(_ text: Substring, _ endings: Set<String>) -> (stem: Substring, ending: String?) {
        guard let dot = text.lastIndex(of: ".") else { return (text, nil) }
        let ending = text[text.index(after: dot)...].lowercased()
        return endings.contains(ending) ? (text[..<dot], ending) : (text, nil)
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
