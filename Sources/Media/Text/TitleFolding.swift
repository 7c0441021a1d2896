// SPDX-License-Identifier: GPL-3.0-or-later

/// The folding of titles for comparison: words without punctuation, whose letters are folded as for the search. Pure.
package enum TitleFolding {
    package static func words(_ text: String) -> [String] {
        var words: [String] = []
        WordScanner.forEachPiece(of: text) { piece in
            // A change of script does not end a word of a title.
            var word = piece.isJoined ? words.popLast() ?? "" : ""
            word.unicodeScalars.append(contentsOf: piece.letters)
            words.append(word)
        }
        return words
    }

    /// True if `title` contains all the words; the last one may be a prefix.
    package static func words(in title: String, begin wanted: [String]) -> Bool {
        let words = words(title)
        guard let last = wanted.last else { return false }
        return wanted.dropLast().allSatisfy(words.contains) && words.contains { $0.hasPrefix(last) }
    }

    /// True if `title` contains all the words, also as parts of its own words.
    package static func pieces(in title: String, contain wanted: [String]) -> Bool {
        let title = words(title).joined(separator: " ")
        return !wanted.isEmpty && wanted.allSatisfy { title.contains($0) }
    }

    /// Returns the indices of the titles that a name means: of those with the same words, otherwise of those with all
    /// its words, otherwise of those that contain its words as parts of words.
    package static func matches(_ name: String, in titles: [String]) -> [Int] {
        let wanted = words(name)
        let rules: [(String) -> Bool] = [
            { !wanted.isEmpty && words($0) == wanted }, { words(in: $0, begin: wanted) },
            { pieces(in: $0, contain: wanted) },
        ]
        let found = rules.lazy.map { fits in titles.indices.filter { fits(titles[$0]) } }
        return found.first { !$0.isEmpty } ?? []
    }
}
