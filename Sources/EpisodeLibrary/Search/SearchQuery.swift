// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A search query: words that must all occur, the last of which may be a prefix. Pure.
public struct SearchQuery: Sendable, Equatable {
    /// A sequence of adjacent words; usually one word.
    private struct Term: Sendable, Equatable {
        var words: [String]
        /// True if the last word is a prefix.
        var isOpen: Bool
    }

    /// The maximum number of pieces, and of letters in a piece; more do not narrow the search.
    private static let mostPieces = 64

    private let pieces: [Piece]
    /// The UTF-8 forms of the pieces, all of which an ASCII text must contain to match.
    private let needles: [[UInt8]]

    /// A `WordPiece` without its positions.
    private struct Piece: Sendable, Equatable {
        let letters: [Unicode.Scalar]
        let isSpaced: Bool
        let isJoined: Bool

        /// The letters without the Arabic article.
        var noun: [Unicode.Scalar] { isSpaced ? ArabicArticle.removed(from: letters) ?? letters : letters }
    }

    /// - Parameter words: the words as the listener typed them, without a query syntax.
    /// - Returns: `nil` if the words contain no letter or digit.
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

    /// Returns the terms, each as a list of alternatives, one of which must match.
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
            // The index contains the noun besides the word with its article; an article alone may be the start of a
            // word.
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

    /// Returns the query in the syntax of SQLite's FTS5.
    /// - Parameter isWhole: true if the last word is complete.
    func expression(isWhole: Bool) -> String {
        phrases(isWhole: isWhole).map { texts in
            texts.count == 1 ? texts[0] : "(" + texts.joined(separator: " OR ") + ")"
        }.joined(separator: " AND ")
    }

    /// A query in the syntax of FTS5 for words near each other.
    struct NearQuery: Equatable {
        let expression: String
        /// The number of phrases that must match; each alternative has as many.
        let phrases: Int
        /// The most other words between two matched phrases; 0 if the query is one phrase.
        let distance: Int
    }

    /// Returns queries for the words side by side and in this order, then near each other, then with an incomplete
    /// last word.
    func nearQueries(within distance: Int) -> [NearQuery] {
        guard terms(isWhole: true).count > 1 else {
            return [true, false].map { NearQuery(expression: expression(isWhole: $0), phrases: 1, distance: 0) }
        }
        let phrase = joined(isWhole: true) { $0.joined(separator: " + ") }
        let near = [true, false].map { isWhole in
            joined(isWhole: isWhole) { "NEAR(\($0.joined(separator: " ")), \(distance))" }
        }
        return [NearQuery(expression: phrase, phrases: 1, distance: 0)]
            + zip(near, [true, false]).map { expression, isWhole in
                NearQuery(expression: expression, phrases: terms(isWhole: isWhole).count, distance: distance)
            }
    }

    /// Joins the phrases; only the last one can have alternatives, for each of which there is a query.
    private func joined(isWhole: Bool, _ join: ([String]) -> String) -> String {
        let phrases = phrases(isWhole: isWhole)
        let others = phrases.dropLast().compactMap(\.first)
        return (phrases.last ?? []).map { join(others + [$0]) }.joined(separator: " OR ")
    }

    private func phrases(isWhole: Bool) -> [[String]] {
        terms(isWhole: isWhole).map { choices in
            choices.map { "\"\($0.words.joined(separator: " "))\"" + ($0.isOpen ? " *" : "") }
        }
    }

    // MARK: Matching a text

    /// True if the text contains all the words, that is, if the index would match it.
    func matches(_ text: String, isWhole: Bool) -> Bool {
        guard mayMatch(text) else { return false }
        let words = SearchWords.text(text).utf8.split { $0 < 0x80 && !Self.isASCIIWord($0) }.map { $0.map(Self.lower) }
        return terms(isWhole: isWhole).allSatisfy { choices in
            choices.contains { term in Self.has(words, term) }
        }
    }

    /// Rejects most titles without allocating memory.
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

    /// Returns the range of the first match in the text.
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
