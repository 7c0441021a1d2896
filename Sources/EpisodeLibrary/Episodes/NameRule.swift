// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// The rules for resolving a name, the most certain one first. Identifiers from a feed come after titles: otherwise a
/// feed could claim a word that the listener types for something else.
enum NameRule: CaseIterable {
    /// A number: `12` is an episode, `p12` a podcast.
    case number
    case address
    /// The whole title that the listener gave to a podcast.
    case ownTitle
    case podcastTitle
    case episodeTitle
    case podcastWords
    case episodeWords
    /// Parts of words, for titles without spaces.
    case podcastPieces
    /// A complete GUID.
    case identifier

    var isExact: Bool {
        switch self {
        case .number, .address, .ownTitle, .podcastTitle, .episodeTitle: true
        case .podcastWords, .episodeWords, .podcastPieces, .identifier: false
        }
    }
}

/// A search for the objects that a name means by one rule.
struct NameSearch {
    let library: Library
    let text: String
    /// The podcast to which the search for episodes is limited.
    var podcast: Int64?

    /// Parses `p12`.
    static func podcastNumber(_ text: String) -> Int64? {
        guard let first = text.first, first == "p" || first == "P" else { return nil }
        return number(text.dropFirst())
    }

    /// Parses a number that consists only of digits.
    static func number(_ text: some StringProtocol) -> Int64? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(text) : nil
    }

    /// Returns the rules that apply. The number of an episode that is gone is not a word of another one's title: the
    /// listener would not expect that episode.
    func rules() throws(LibraryError) -> [NameRule] {
        guard let number = Self.number(text) else { return NameRule.allCases }
        let last = try library.read { db in
            try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'episode'")
        }
        return number > last ?? 0 ? NameRule.allCases : NameRule.allCases.filter(\.isExact)
    }

    // MARK: Podcasts

    func podcasts(by rule: NameRule) throws(LibraryError) -> [Int64] {
        switch rule {
        case .number: try podcastNumber()
        case .address: try address()
        case .ownTitle: try titled(\.ownTitle)
        case .podcastTitle: try titled(\.title)
        case .podcastWords: try podcasts(where: { TitleFolding.words(in: $0, begin: words) })
        case .podcastPieces: try podcasts(where: { TitleFolding.pieces(in: $0, contain: words) })
        case .identifier: Array(try ids("guid = ? AND unsubscribed_at IS NULL", text).prefix(1))
        case .episodeTitle, .episodeWords: []
        }
    }

    private func podcastNumber() throws(LibraryError) -> [Int64] {
        guard let number = Self.podcastNumber(text) else { return [] }
        return try ids("id = ?", number)
    }

    private var words: [String] { TitleFolding.words(text) }

    private func ids(_ condition: String, _ value: any DatabaseValueConvertible) throws(LibraryError) -> [Int64] {
        try library.read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM podcast WHERE \(condition) ORDER BY id", arguments: [value])
        }
    }

    /// Finds a podcast by its feed's address. Addresses are stored without credentials; the listener may type them.
    private func address() throws(LibraryError) -> [Int64] {
        guard text.contains("/") else { return [] }
        let typed = PublicAddress.typed(text)
        return try library.read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM podcast WHERE feed_url IN (:typed, 'https://' || :typed)
                    ORDER BY unsubscribed_at IS NOT NULL LIMIT 1
                    """, arguments: ["typed": typed])
        }
    }

    private struct Names {
        let id: Int64
        let title: String?
        let ownTitle: String?
        let shown: String
    }

    private func names() throws(LibraryError) -> [Names] {
        try library.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, title, own_title, coalesce(own_title, title, feed_url) AS shown FROM podcast
                    WHERE unsubscribed_at IS NULL ORDER BY lower(shown), id
                    """
            ).map { Names(id: try $0[0], title: try $0[1], ownTitle: try $0[2], shown: try $0[3]) }
        }
    }

    /// Returns the podcasts with this title as typed, or else those whose title differs only in folded letters.
    private func titled(_ title: (Names) -> String?) throws(LibraryError) -> [Int64] {
        let words = words
        guard !words.isEmpty else { return [] }
        let found = try names().filter { title($0).map(TitleFolding.words) == words }
        let typed = found.filter { title($0)?.lowercased() == text.lowercased() }
        return (typed.isEmpty ? found : typed).map(\.id)
    }

    private func podcasts(where fits: (String) -> Bool) throws(LibraryError) -> [Int64] {
        guard !words.isEmpty else { return [] }
        return try names().filter { fits($0.shown) }.map(\.id)
    }

    // MARK: Episodes

    func episodes(by rule: NameRule) throws(LibraryError) -> [EpisodeSummary] {
        switch rule {
        case .number: try number()
        case .episodeTitle: try library.episodes(titled: text, podcast, isWhole: true)
        case .episodeWords: try library.episodes(titled: text, podcast, isWhole: false)
        case .identifier: try identified()
        case .address, .ownTitle, .podcastTitle, .podcastWords, .podcastPieces: []
        }
    }

    private func number() throws(LibraryError) -> [EpisodeSummary] {
        guard let number = Self.number(text) else { return [] }
        // The number of a merged episode stays valid.
        let current = try library.current(number)
        return try library.episodes(numbered: [current]).filter { podcast == nil || $0.podcast == podcast }
    }

    /// Finds an episode by its GUID; a GUID that several episodes share matches none.
    private func identified() throws(LibraryError) -> [EpisodeSummary] {
        let ids = try library.read { db in try Library.episodes(guid: text, podcast, db) }
        return ids.count == 1 ? try library.episodes(numbered: ids) : []
    }
}
