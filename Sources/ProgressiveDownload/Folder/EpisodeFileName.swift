// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A file name for an enclosure: readable words, followed by 64 bits of the URL's SHA-256 for uniqueness.
///
/// `https://example.org/shows/Episode%201.mp3?x=1` becomes `Episode-201-`, 16 digits and `.mp3`. A name consists of
/// ASCII letters, digits, `-`, `_` and one dot; it never begins with a dash and has at most 83 bytes.
enum EpisodeFileName {
    private static let longestSlug = 60
    /// The extensions that earlier releases kept; files with any other were named `.mp3`.
    private static let formerEndings: Set<String> = [
        "mp3", "mp2", "mpga", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav",
    ]

    /// Returns the name of a new file. The words come from the last path component that contains any, else from the
    /// host. The name depends only on the URL, so the same enclosure has the same file in every feed.
    /// - Parameter type: The media type, for a URL without an extension.
    static func name(forEnclosure url: String, type: String? = nil) -> String {
        let (stem, ending) = parts(of: url, keeping: Set(AudioFileEnding.all))
        let fallback = type.flatMap(AudioFileEnding.ofType) ?? AudioFileEnding.standard
        return "\(stem)\(hash(of: url)).\(ending ?? fallback)"
    }

    /// Returns every name that a file of this enclosure may have, starting with the name of a new file. The extension
    /// follows the content once that is known, and earlier releases knew fewer extensions.
    static func names(forEnclosure url: String, type: String? = nil) -> [String] {
        let hash = hash(of: url)
        let first = name(forEnclosure: url, type: type)
        let stem = parts(of: url, keeping: Set(AudioFileEnding.all)).stem
        let former = parts(of: url, keeping: formerEndings)
        let stems = stem == former.stem ? [stem] : [stem, former.stem]
        let others = stems.flatMap { stem in AudioFileEnding.all.map { "\(stem)\(hash).\($0)" } }
        return [first] + others.filter { $0 != first }
    }

    /// True if this type may have made the name.
    static func isGenerated(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, AudioFileEnding.all.contains(String(parts[1])) else { return false }
        let digits = parts[0].suffix(16)
        let words = parts[0].dropLast(16)
        return digits.count == 16 && digits.allSatisfy { "0"..."9" ~= $0 || "a"..."f" ~= $0 }
            && words.count > 1 && words.hasSuffix("-")
            && words.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
    }

    /// Returns the words with the dash after them, and the extension if it is one of these.
    private static func parts(of url: String, keeping endings: Set<String>) -> (stem: String, ending: String?) {
        let address = WebURL(typed: url).withoutUserInfo
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

    /// Replaces runs of other characters by one dash, with none at either end.
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

    /// Returns the hash part of a generated name.
    static func hash(in name: String) -> Substring { name.prefix { $0 != "." }.suffix(16) }

    static func hash(of url: String) -> String {
        SHA256.digest(of: url.utf8).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
