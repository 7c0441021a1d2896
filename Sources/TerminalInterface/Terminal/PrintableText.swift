// SPDX-License-Identifier: GPL-3.0-or-later

/// Text from outside, made safe to show on one line, with its width in columns.
///
/// Control characters would control the terminal, and bidirectional marks would reorder the text around them: both are
/// removed. Any run of white space becomes one space.
package struct PrintableText: Equatable {
    /// The most scalars of a character; a title could stack any number of marks on one letter.
    private static let scalarsInOnePlace = 8

    package private(set) var text = ""
    /// The width of the text in terminal columns.
    private(set) var columns = 0

    package init() {}

    package init(_ raw: some StringProtocol, asciiOnly: Bool = false) {
        var spacePending = false
        for character in raw {
            guard !character.isWhitespace else {
                spacePending = !text.isEmpty
                continue
            }
            let kept = Self.kept(character)
            guard !kept.isEmpty else { continue }
            if spacePending { append(" ") }
            spacePending = false
            append(asciiOnly && !character.isASCII ? "?" : Character(String(kept)))
        }
    }

    /// Creates the text from Earshot's own text that is aligned by runs of spaces; quoted parts are made safe.
    package init(keepingSpaces text: String, cutTo limit: Int) {
        for character in text {
            let kept = character == " " ? " " : String(Self.kept(character))
            guard !kept.isEmpty, columns + Self.columns(of: kept) <= limit else { continue }
            append(Character(kept))
        }
    }

    /// Returns the text if it fits, otherwise its beginning followed by `ellipsis`; never wider than `limit`.
    package func cut(to limit: Int, ellipsis: String) -> PrintableText {
        guard columns > limit else { return self }
        var result = PrintableText()
        let room = limit - ellipsis.count
        guard room > 0 else { return result }
        for character in text {
            guard result.columns + Self.columns(of: character) <= room else { break }
            result.append(character)
        }
        while result.text.hasSuffix(" ") {
            result.text.removeLast()
            result.columns -= 1
        }
        for character in ellipsis { result.append(character) }
        return result
    }

    /// Returns the text with every other character replaced by one question mark per column.
    package static func inASCII(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.reduce(into: "") { shown, character in
            // CR LF is one Character.
            shown += character.unicodeScalars.allSatisfy(\.isASCII)
                ? String(character) : String(repeating: "?", count: columns(of: character))
        }
    }

    package static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    private mutating func append(_ character: Character) {
        text.append(character)
        columns += Self.columns(of: character)
    }

    private static func kept(_ character: Character) -> String.UnicodeScalarView {
        var kept = String.UnicodeScalarView()
        for scalar in character.unicodeScalars.prefix(scalarsInOnePlace) where isHarmless(scalar) {
            kept.append(scalar)
        }
        return kept
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // The joiner inside an emoji is the only format character without an effect on the text around it.
        case .format: scalar.value == 0x200D
        default: true
        }
    }

    /// Returns the most columns that any terminal uses. Terminals that support grapheme clusters draw a family of
    /// emoji in two columns; terminals that sum up `wcwidth` use two for each member. A line must fit both.
    private static func columns(of character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        let sum = scalars.reduce(0) { $0 + columns(of: $1) }
        return scalars.contains { $0.value == 0xFE0F } ? max(2, sum) : sum
    }

    /// Returns the columns as in `wcwidth`: spacing marks have one column, vowels and final consonants of Hangul none.
    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Two regional indicators make a flag of two columns.
        case 0x1F1E6...0x1F1FF: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Wide and fullwidth characters. Source: Unicode Standard Annex 11, East_Asian_Width W and F, in whole blocks.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18AFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
