// SPDX-License-Identifier: GPL-3.0-or-later

/// Speakers that stand before their words: `Mary: words`. A name is written where the speaker changes, so it also
/// applies to the following cues.
///
/// Source: the podcast namespace, transcript file format details, SRT.
enum SpeakerNames {
    private static let longestName = 40
    private static let mostWords = 4

    /// Moves the names from the texts to the speakers, unless the document has names elsewhere. Names are recognized if
    /// the document begins with one, or if they occur again.
    static func separated(from cues: [Transcript.Cue]) -> [Transcript.Cue] {
        guard cues.allSatisfy({ $0.speaker == nil }) else { return cues }
        let found = cues.map { split($0.text) }
        var counts: [Substring: Int] = [:]
        for case let (name, _)? in found { counts[name, default: 0] += 1 }
        let beginsWithName = found.first.map { $0 != nil } ?? false
        var speaker: String?
        return zip(cues, found).map { cue, parts in
            var cue = cue
            if let (name, words) = parts, beginsWithName || counts[name, default: 0] > 1 {
                speaker = String(name)
                cue.text = String(words)
            }
            cue.speaker = speaker
            return cue
        }
    }

    /// - Returns: the name and the words after it; `nil` if the text does not begin with a name.
    static func split(_ text: String) -> (name: Substring, words: Substring)? {
        let head = text.unicodeScalars.prefix(longestName)
        guard let colon = head.firstIndex(where: { $0 == ":" || $0 == "\u{FF1A}" }) else { return nil }
        let rest = text.unicodeScalars[text.unicodeScalars.index(after: colon)...]
        let words = rest.drop { $0 == " " || $0 == "]" }
        let name = head[..<colon].drop { "-[>( ".unicodeScalars.contains($0) }
        // A time and an address have no space after the colon; Chinese and Japanese text need not have one.
        guard let next = rest.first, !next.isASCII || " ]".unicodeScalars.contains(next), !words.isEmpty,
            let last = name.lastIndex(where: { !"]) ".unicodeScalars.contains($0) }), isName(name[...last])
        else { return nil }
        return (Substring(name[...last]), Substring(words))
    }

    /// True for few words, each of which begins with a capital, a digit, or a letter of a script without capitals.
    private static func isName(_ text: Substring.UnicodeScalarView) -> Bool {
        let words = text.split(separator: " ")
        guard words.count <= mostWords, text.contains(where: { $0.properties.isAlphabetic }) else { return false }
        return words.allSatisfy { word in
            guard let first = word.first, !first.properties.isLowercase else { return false }
            return (first.properties.isAlphabetic || first.properties.numericType != nil)
                && !word.contains { ",;?!\u{2026}\u{3002}\u{3001}".unicodeScalars.contains($0) }
        }
    }
}
