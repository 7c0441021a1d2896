// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// Text from outside as clusters with their columns: clean, and cut by the terminal's widths.
struct CellText {
    /// A longer title is never shown whole.
    private static let most = 2000

    private(set) var clusters: [(character: Character, columns: Int)] = []
    private(set) var columns = 0

    init(_ raw: String, _ traits: TerminalTraits) {
        let clean = PrintableText(raw.prefix(Self.most), asciiOnly: !traits.isUnicode).text
        for character in clean { append(character, traits) }
    }

    /// Creates the text from text of our own, in which spaces matter; feed text in it is cleaned, too.
    init(keepingSpaces raw: String, _ traits: TerminalTraits) {
        for part in raw.prefix(Self.most).split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 { append(" ", traits) }
            for character in PrintableText(part.element, asciiOnly: !traits.isUnicode).text {
                append(character, traits)
            }
        }
    }

    private mutating func append(_ character: Character, _ traits: TerminalTraits) {
        for part in Self.parts(character) {
            let width = part.isASCII ? 1 : max(0, min(traits.columns(part), 2))
            guard width > 0 else { continue }
            clusters.append((part, width))
            columns += width
        }
    }

    /// Returns the letters of a syllable that is wider than two columns, as in Hindi; each of them gets its own cell.
    private static func parts(_ character: Character) -> [Character] {
        let scalars = character.unicodeScalars
        guard scalars.count > 2, scalars.first?.properties.isAlphabetic == true, character.terminalColumns > 2 else {
            return [character]
        }
        var parts: [String.UnicodeScalarView] = []
        for scalar in scalars {
            if scalar.terminalColumns > 0 || parts.isEmpty { parts.append(String.UnicodeScalarView()) }
            parts[parts.count - 1].append(scalar)
        }
        return parts.flatMap { Array(String($0)) }
    }

    /// Returns the text if it fits, otherwise its beginning with an ellipsis; never wider than `limit`.
    func cut(to limit: Int, _ traits: TerminalTraits) -> CellText {
        guard columns > limit else { return self }
        var result = self
        let mark = Glyphs(traits).ellipsis
        let room = limit - mark.count
        (result.clusters, result.columns) = ([], 0)
        for cluster in clusters {
            guard result.columns + cluster.columns <= room else { break }
            result.clusters.append(cluster)
            result.columns += cluster.columns
        }
        guard room > 0 else { return result }
        for character in mark { result.append(character, traits) }
        return result
    }
}
