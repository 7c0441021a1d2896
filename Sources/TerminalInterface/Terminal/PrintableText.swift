// SPDX-License-Identifier: GPL-3.0-or-later
import Media

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
            guard !kept.isEmpty, columns + kept.terminalColumns <= limit else { continue }
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
            guard result.columns + character.terminalColumns <= room else { break }
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
            shown +=
                character.unicodeScalars.allSatisfy(\.isASCII)
                ? String(character) : String(repeating: "?", count: character.terminalColumns)
        }
    }

    private mutating func append(_ character: Character) {
        text.append(character)
        columns += character.terminalColumns
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
}
