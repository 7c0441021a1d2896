// SPDX-License-Identifier: GPL-3.0-or-later

// The table is ours, because `wcwidth` needs an installed UTF-8 locale and knows no character newer than the C library.

extension StringProtocol {
    /// The width on a terminal in columns.
    public var terminalColumns: Int { reduce(0) { $0 + $1.terminalColumns } }
}

extension Character {
    /// The most columns that any terminal uses. Terminals that support grapheme clusters draw a family of emoji in two
    /// columns; terminals that sum up `wcwidth` use two for each member. A line must fit both.
    public var terminalColumns: Int {
        if isASCII { return 1 }
        let sum = unicodeScalars.reduce(0) { $0 + $1.terminalColumns }
        // The variation selector requests an emoji, which has two columns.
        return unicodeScalars.contains("\u{FE0F}") ? max(2, sum) : sum
    }
}

extension Unicode.Scalar {
    /// The columns as in `wcwidth`: 2 for wide characters, 0 for combining marks, 1 for all others.
    public var terminalColumns: Int {
        switch value {
        case 0..<0x300: return 1
        // Vowels and final consonants of Hangul belong to the syllable before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Two regional indicators make a flag of two columns.
        case 0x1F1E6...0x1F1FF: return 1
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        case .format: return properties.isDefaultIgnorableCodePoint ? 0 : 1
        default: return isWide ? 2 : 1
        }
    }

    private var isWide: Bool {
        properties.isEmojiPresentation || Self.wideRanges.contains { $0.contains(value) }
    }

    /// Wide and fullwidth characters besides emoji. Source: Unicode Standard Annex 11, East_Asian_Width W and F, in
    /// whole blocks.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F2FF,
        0x20000...0x3FFFD,
    ]
}
