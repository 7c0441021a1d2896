// SPDX-License-Identifier: GPL-3.0-or-later

/// What a listener looks for: words that must all be there, the last of which may be unfinished. Pure.
public struct SearchQuery: Sendable, Equatable {
    /// Words that follow each other without anything between them: mostly one.
    private struct Term: Sendable, Equatable {
        var words: [String]
        /// The last one may go on.
        var isOpen: Bool
    }

    /// More say nothing that these do not.
    private static let mostPieces = 64

    private let pieces: [Piece]
    /// What a text of ASCII alone must have somewhere.
    private let needles: [[UInt8]]

    /// A `WordPiece` without its places.
    private struct Piece: Sendable, Equatable {
        let letters: [Unicode.Scalar]
        let isSpaced: Bool
        let isJoined: Bool

        /// Of Arabic without its article.
        var noun: [Unicode.Scalar] { isSpaced ? ArabicArticle.removed(from: letters) ?? letters : letters }
    }

    /// - Parameter words: as the listener wrote them; no syntax.
    /// - Returns: `nil` where there is not one letter or digit.
    public init?(_ words: String) {
        var pieces: [Piece] = []
        WordScanner.forEachPiece(of: words) { piece in
            guard pieces.count < Self.mostPieces else { return }
            let letters = Array(piece.letters.prefix(Self.mostPieces))
            pieces.append(Piece(letters: letters, isSpaced: piece.isSpaced, isJoined: piece.isJoined))
        }
        guard !pieces.isEmpty else { return nil }
        self.pieces = pieces
        needles = pieces.map { Array(String($0.letters).utf8) }
    }

    // MARK: Terms

    /// Each as what can stand for it: one of these must be there.
    private func terms(isWhole: Bool) -> [[Term]] {
        var groups: [[Piece]] = []
        for piece in pieces {
            if piece.isJoined, !groups.isEmpty {
                groups[groups.count - 1].append(piece)
            } else {
                groups.append([piece])
            }
        }
        return groups.enumerated().map { index, group in
            Self.terms(of: group, isOpen: !isWhole && index == groups.count - 1)
        }
    }

    private static func terms(of group: [Piece], isOpen: Bool) -> [Term] {
        if group.count == 1, group[0].isSpaced {
            let (word, noun) = (String(group[0].letters), String(group[0].noun))
            // A text has the noun beside the word with its article; an article alone may be the start of a word.
            return (isOpen && noun != word ? [word, noun] : [noun]).map { Term(words: [$0], isOpen: isOpen) }
        }
        var words: [String] = []
        for (index, piece) in group.enumerated() { words += self.words(of: piece, isLast: index == group.count - 1) }
        let last = group[group.count - 1]
        return [Term(words: words, isOpen: last.isSpaced ? isOpen : last.letters.count == 1)]
    }

    private static func words(of piece: Piece, isLast: Bool) -> [String] {
        guard !piece.isSpaced else { return [String(piece.letters)] }
        let pairs = SearchWords.pairs(of: piece.letters)
        return isLast && !pairs.isEmpty ? pairs : pairs + piece.letters.suffix(1).map { String($0) }
    }

    /// As SQLite's FTS5 wants it.
    /// - Parameter isWhole: the last word is finished.
    func expression(isWhole: Bool) -> String {
        terms(isWhole: isWhole).map { choices in
            let texts = choices.map { "\"\($0.words.joined(separator: " "))\"" + ($0.isOpen ? " *" : "") }
            return texts.count == 1 ? texts[0] : "(" + texts.joined(separator: " OR ") + ")"
        }.joined(separator: " AND ")
    }

    // MARK: Looking at a text

    /// Whether the text has all the words: what the index would say of it.
    func matches(_ text: String, isWhole: Bool) -> Bool {
        guard mayMatch(text) else { return false }
        let words = SearchWords.text(text).utf8.split { $0 < 0x80 && !Self.isASCIIWord($0) }.map { $0.map(Self.lower) }
        return terms(isWhole: isWhole).allSatisfy { choices in
            choices.contains { term in Self.has(words, term) }
        }
    }

    /// Most titles are told by this alone, which takes no memory.
    private func mayMatch(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.contains { $0 >= 0x80 } || needles.allSatisfy { Self.contains($0, in: bytes) }
        }
    }

    private static func contains(_ needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard needle.count <= bytes.count else { return false }
        return (0...bytes.count - needle.count).contains { start in
            needle.indices.allSatisfy { lower(bytes[start + $0]) == needle[$0] }
        }
    }

    private static func isASCIIWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func has(_ words: [[UInt8]], _ term: Term) -> Bool {
        words.indices.contains { start in
            guard start + term.words.count <= words.count else { return false }
            return term.words.enumerated().allSatisfy { offset, wanted in
                let word = words[start + offset]
                let isBeginning = term.isOpen && offset == term.words.count - 1
                return isBeginning ? word.starts(with: wanted.utf8) : word.elementsEqual(wanted.utf8)
            }
        }
    }

    /// Where the text first has one of the words.
    public func firstHit(in text: String) -> Range<String.Index>? {
        var hit: Range<String.Index>?
        WordScanner.forEachPiece(of: text) { piece in
            guard hit == nil, let found = place(in: piece) else { return }
            let last = piece.places[found.upperBound - 1]
            hit = piece.places[found.lowerBound]..<text.unicodeScalars.index(after: last)
        }
        return hit
    }

    private func place(in piece: WordPiece) -> Range<Int>? {
        let letters = piece.letters
        for (index, wanted) in pieces.enumerated() where wanted.isSpaced == piece.isSpaced {
            if !wanted.isSpaced {
                if let range = letters.firstRange(of: wanted.letters) { return range }
                continue
            }
            let noun = ArabicArticle.removed(from: letters) ?? letters
            let isBegun = letters.starts(with: wanted.letters) || noun.starts(with: wanted.noun)
            if noun == wanted.noun || isBegun && index == pieces.count - 1 { return 0..<letters.count }
        }
        return nil
    }
}
