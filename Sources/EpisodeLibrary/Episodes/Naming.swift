// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// How a listener names what is in the library: by its number, its address or GUID, or words of its title that nothing
/// else has.
extension Library {
    private static let mostNamed = 6

    /// - Throws: `missing`, or `ambiguous` with the candidates.
    public func podcast(named text: String) throws(LibraryError) -> PodcastSummary {
        if let id = try podcastNumber(text) { return try podcast(id) }
        let words = Self.folded(text)
        let all = try podcasts()
        let exact = all.filter { Self.folded($0.name) == words }
        let matches = exact.isEmpty ? all.filter { Self.has($0.name, words) } : exact
        guard let first = matches.first else {
            throw LibraryError(.missing, "no podcast is called '\(PublicAddress.typed(text))'")
        }
        guard matches.count == 1 else {
            throw Self.ambiguous(text, matches.map { "\($0.id) \($0.name)" })
        }
        return first
    }

    /// Titles that are alike are told apart by their podcasts.
    private static func labels(_ episodes: [EpisodeSummary]) -> [String] {
        let titles = episodes.map { folded($0.name) }
        return zip(episodes, titles).map { episode, title in
            let podcast = titles.count { $0 == title } > 1 ? episode.podcastTitle : nil
            return "\(episode.id) \(episode.name)" + (podcast.map { " (\($0))" } ?? "")
        }
    }

    /// Addresses are kept without user name and password; the listener may type both.
    private func podcastNumber(_ text: String) throws(LibraryError) -> Int64? {
        try read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT id FROM podcast
                    WHERE id = :number OR feed_url IN (:address, 'https://' || :address) OR guid = :text
                    ORDER BY id = :number DESC, unsubscribed_at IS NOT NULL LIMIT 1
                    """,
                arguments: ["number": Int64(text), "text": text, "address": PublicAddress.typed(text)])
        }
    }

    /// - Parameter podcast: looks only there.
    public func episode(named text: String, in podcast: Int64? = nil) throws(LibraryError) -> EpisodeSummary {
        if let id = try episodeNumber(text, podcast) { return try episode(id) }
        let exact = try episodes(titled: text, podcast, isWhole: true)
        let matches = exact.isEmpty ? try episodes(titled: text, podcast, isWhole: false) : exact
        guard let first = matches.first else {
            throw LibraryError(.missing, "no episode is called '\(PublicAddress.typed(text))'")
        }
        guard matches.count == 1 else {
            throw Self.ambiguous(text, Self.labels(matches))
        }
        return first
    }

    /// Each once, in the order of the names.
    /// - Throws: as `episode(named:in:)` does for the first that is not clear.
    public func episodes(named texts: [String]) throws(LibraryError) -> [EpisodeSummary] {
        var episodes: [EpisodeSummary] = []
        for text in texts {
            let episode = try episode(named: text)
            if !episodes.contains(where: { $0.id == episode.id }) { episodes.append(episode) }
        }
        return episodes
    }

    private func episodeNumber(_ text: String, _ podcast: Int64?) throws(LibraryError) -> Int64? {
        try read { db in
            let number = try Int64.fetchOne(
                db, sql: "SELECT id FROM episode WHERE id = :id AND (:podcast IS NULL OR podcast = :podcast)",
                arguments: ["id": Int64(text), "podcast": podcast])
            return try number ?? Self.episode(guid: text, podcast, db)
        }
    }

    /// - Returns: `nil` where none or several have this GUID.
    public func episode(guid: String, in podcast: Int64) throws(LibraryError) -> EpisodeSummary? {
        let id = try read { db in try Self.episode(guid: guid, podcast, db) }
        return try id.map(episode)
    }

    private static func episode(guid: String, _ podcast: Int64?, _ db: Database) throws -> Int64? {
        let ids = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM episode WHERE guid_key = :key AND guid = :guid
                    AND (:podcast IS NULL OR podcast = :podcast) LIMIT 2
                """, arguments: ["key": ContentDigest.of(guid), "guid": guid, "podcast": podcast])
        return ids.count == 1 ? ids[0] : nil
    }

    /// - Parameter isWhole: the words are the whole title, and not some of it.
    private func episodes(
        titled text: String, _ podcast: Int64?, isWhole: Bool
    ) throws(LibraryError) -> [EpisodeSummary] {
        guard let query = SearchQuery(text) else { return [] }
        let waiting = try waitingEpisodes(titled: query, isWhole: isWhole)
        let key = isWhole ? ContentDigest.of(EpisodeEvidence.folded(text)) : nil
        let found = try read { db in
            try Row.fetchAll(
                db,
                sql: EpisodeSummary.query + """
                    WHERE episode.id IN (
                            SELECT rowid FROM title_words WHERE title_words MATCH :query
                            UNION SELECT value FROM json_each(:waiting))
                        AND \(EpisodeSummary.isShown) AND (:podcast IS NULL OR episode.podcast = :podcast)
                        AND (:key IS NULL OR title_key = :key)
                    ORDER BY sorted_at DESC LIMIT :limit
                    """,
                arguments: [
                    "query": query.expression(isWhole: isWhole), "waiting": "\(waiting)", "podcast": podcast,
                    "key": key, "limit": Self.mostNamed,
                ]
            ).map(EpisodeSummary.init(row:))
        }
        // The key knows letters and digits alone, and not where a word ends.
        return isWhole ? found.filter { Self.folded($0.name) == Self.folded(text) } : found
    }

    private static func ambiguous(_ text: String, _ candidates: [String]) -> LibraryError {
        let shown = candidates.prefix(mostNamed - 1).joined(separator: "; ")
        let more = candidates.count >= mostNamed ? "; ..." : ""
        return LibraryError(PublicAddress.typed(text), canBe: shown + more)
    }

    private static func folded(_ text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }

    private static func has(_ name: String, _ words: [String]) -> Bool {
        let name = name.lowercased()
        return !words.isEmpty && words.allSatisfy { name.contains($0) }
    }
}
