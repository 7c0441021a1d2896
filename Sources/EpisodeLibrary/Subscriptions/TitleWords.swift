// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Words that a title must or must not have: `news talk -repeat`.
public struct TitleWords: Sendable, Equatable, CustomStringConvertible {
    /// The words of which a title must have at least one, if there are any.
    public let required: [String]
    /// The words that a title must not have.
    public let excluded: [String]

    /// Parses the words.
    /// - Returns: `nil` if the text contains no word.
    public init?(_ text: String) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        let unwanted = words.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
        required = words.filter { !$0.hasPrefix("-") }.map(String.init)
        self.excluded = unwanted
        guard !words.isEmpty, (required + excluded).allSatisfy({ TitleFolding.words($0).count == 1 }) else {
            return nil
        }
    }

    public var description: String { (required + excluded.map { "-" + $0 }).joined(separator: " ") }

    /// True if the title fulfils the condition; whole words are compared, regardless of case and accents.
    public func allow(_ title: String) -> Bool {
        let words = Set(TitleFolding.words(title))
        let isThere = { (word: String) in TitleFolding.words(word).allSatisfy(words.contains) }
        return (required.isEmpty || required.contains(where: isThere)) && !excluded.contains(where: isThere)
    }
}
