// SPDX-License-Identifier: GPL-3.0-or-later

/// The folding of titles for comparison: words without punctuation, whose letters are folded as for the search. Pure.
enum TitleFolding {
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        WordScanner.forEachPiece(of: text) { piece in
            // A change of script does not end a word of a title.
            let start = piece.isJoined ? words.popLast() ?? "" : ""
            words.append(start + String(piece.letters))
        }
        return words
    }

    /// True if `title` contains all the words; the last one may be a prefix.
    static func words(in title: String, begin wanted: [String]) -> Bool {
        let words = words(title)
        guard let last = wanted.last else { return false }
        return wanted.dropLast().allSatisfy(words.contains) && words.contains { $0.hasPrefix(last) }
    }
}
