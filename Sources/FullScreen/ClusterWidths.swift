// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The kinds of clusters that terminals draw with different widths.
public enum ClusterKind: Int, Sendable, CaseIterable {
    /// A symbol that a variation selector turns into an emoji.
    case emojiVariation
    /// A digit in a key.
    case keycap
    /// An emoji with a skin tone.
    case skinTone
    /// Emoji that joiners connect to one picture.
    case joined

    /// A cluster of the kind, to measure how the terminal draws it.
    var sample: String {
        switch self {
        case .emojiVariation: "\u{2764}\u{FE0F}"
        case .keycap: "1\u{FE0F}\u{20E3}"
        case .skinTone: "\u{1F44D}\u{1F3FD}"
        case .joined: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        }
    }

    /// Returns the kind of a cluster; `nil` for text, whose width does not depend on the terminal.
    init?(_ cluster: Character) {
        let scalars = cluster.unicodeScalars
        guard let first = scalars.first, scalars.count > 1, first.properties.isEmoji else { return nil }
        if scalars.contains("\u{200D}") {
            self = .joined
        } else if scalars.contains("\u{20E3}") {
            self = .keycap
        } else if scalars.contains(where: \.properties.isEmojiModifier) {
            self = .skinTone
        } else if scalars.contains("\u{FE0F}") {
            self = .emojiVariation
        } else {
            return nil
        }
    }
}

/// The form in which clusters are written to a terminal, and their widths there.
///
/// Widths are those of `Character.terminalColumns`. A cluster that a terminal draws as separate emoji loses its
/// variation selector, skin tone and joined members, so that it takes two columns everywhere.
public struct ClusterWidths: Sendable, Equatable {
    /// The kinds that the terminal draws in two columns.
    public var joined: Set<ClusterKind>

    public init(joined: Set<ClusterKind> = []) { self.joined = joined }

    /// Returns the columns of a cluster: 0, 1 or 2.
    public func columns(of cluster: Character) -> Int {
        if cluster.isASCII { return 1 }
        if let kind = ClusterKind(cluster), joined.contains(kind) { return 2 }
        return min(2, form(of: cluster).reduce(0) { $0 + $1.terminalColumns })
    }

    /// Returns the scalars that are written for a cluster.
    public func form(of cluster: Character) -> [Unicode.Scalar] {
        let scalars = Array(cluster.unicodeScalars.prefix(Self.mostScalars))
        guard let kind = ClusterKind(cluster), !joined.contains(kind) else { return scalars }
        let first = scalars.prefix { $0 != "\u{200D}" }
        return first.filter { scalar in
            scalar == first.first
                || !(scalar == "\u{FE0F}" || scalar == "\u{20E3}" || scalar.properties.isEmojiModifier)
        }
    }

    /// The most scalars of a cluster; feeds can stack any number of marks on one letter.
    private static let mostScalars = 16

    /// True if every terminal draws the cluster with the same width, so that the cursor is certain after it.
    static func isCertain(_ cluster: Character) -> Bool {
        let scalars = cluster.unicodeScalars
        guard let first = scalars.first, scalars.count == 1 else { return false }
        if first.isASCII { return true }
        // A terminal may join a mark to the letter before it, also the vowels am of Thai and Lao.
        guard !first.properties.isEmoji, first.properties.generalCategory != .spacingMark,
            first.value != 0xE33, first.value != 0xEB3
        else { return false }
        return first.value < 0x1100 ? first.terminalColumns == 1 : certain.contains { $0.contains(first.value) }
    }

    /// Punctuation, lines and blocks, kana, ideographs and Hangul syllables.
    private static let certain: [ClosedRange<UInt32>] = [
        0x2010...0x2027, 0x2500...0x259F, 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
    ]
}
