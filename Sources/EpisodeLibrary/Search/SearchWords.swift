// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The form of a text in the search index: folded words separated by blanks. Pure.
///
/// In a piece of a script without blanks, each pair of neighbours is a word, and so is the last letter: one letter is
/// then the prefix of a word, two letters are a word, and more letters are adjacent words.
enum SearchWords {
    /// Returns the folded words. ASCII is unchanged, because SQLite splits and folds it in the same way.
    static func text(_ text: String) -> String {
        var text = text
        let isASCII = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } }
        guard !isASCII else { return text }
        var words = String.UnicodeScalarView()
        WordScanner.forEachPiece(of: text) { piece in append(piece, to: &words) }
        return String(words)
    }

    private static func append(_ piece: WordPiece, to words: inout String.UnicodeScalarView) {
        if piece.isSpaced {
            words.append(contentsOf: piece.letters)
            if let noun = ArabicArticle.removed(from: piece.letters) {
                words.append(" ")
                words.append(contentsOf: noun)
            }
        } else {
            appendPairs(of: piece.letters, to: &words)
            if let last = piece.letters.last { words.append(last) }
        }
        words.append(" ")
    }

    private static func appendPairs(of letters: [Unicode.Scalar], to words: inout String.UnicodeScalarView) {
        for (letter, next) in zip(letters, letters.dropFirst()) {
            words.append(letter)
            words.append(next)
            words.append(" ")
        }
    }

    static func pairs(of letters: [Unicode.Scalar]) -> [String] {
        zip(letters, letters.dropFirst()).map { letter, next in
            var pair = String.UnicodeScalarView()
            pair.append(letter)
            pair.append(next)
            return String(pair)
        }
    }
}

extension String {
    init(_ scalars: [Unicode.Scalar]) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self = String(view)
    }
}
