// SPDX-License-Identifier: GPL-3.0-or-later

/// The Arabic article, which is written as one word with its noun and with a preceding "and", "with", "like" or
/// "for". People search for the noun alone, so the article is removed.
enum ArabicArticle {
    private static let conjunctions: [Unicode.Scalar] = ["\u{648}", "\u{641}"]
    private static let articles = ["\u{628}\u{627}\u{644}", "\u{643}\u{627}\u{644}", "\u{627}\u{644}", "\u{644}\u{644}"]
        .map { Array($0.unicodeScalars) }
    /// "For him" never has an article: the same word with one is the name of God.
    private static let never: [Unicode.Scalar] = ["\u{644}", "\u{647}"]
    private static let fewest = 2

    /// - Parameter word: the folded word.
    /// - Returns: the noun; `nil` if the word has no article.
    static func removed(from word: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        guard let first = word.first, (0x600...0x6FF).contains(first.value) else { return nil }
        let rest = conjunctions.contains(first) ? word.dropFirst() : word[...]
        for start in [word[...], rest] {
            for article in articles where start.starts(with: article) {
                let noun = Array(start.dropFirst(article.count))
                if noun.count >= fewest, noun != never { return noun }
            }
        }
        return nil
    }
}
