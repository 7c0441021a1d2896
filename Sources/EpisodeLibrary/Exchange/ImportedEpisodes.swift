// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// A matcher of the episodes of a copy with those of one podcast, by the same evidence as a refresh. An episode that
/// is not in the library gets a row, so that the listener's data is kept: either a refresh adds the rest, or it has
/// left the feed.
struct ImportedEpisodes {
    let db: Database
    let podcast: Int64
    /// The current time in seconds since 1970.
    let now: Int64

    /// Returns the episodes of the library that match those of the copy.
    /// - Returns: the numbers of the episodes, in the same order.
    func numbers(of episodes: [LibraryCopy.Episode]) throws -> [Int64] {
        let incoming = episodes.map(Self.evidence)
        let known = try known()
        let aliases = try aliases()
        let outcome = EpisodeMatcher.match(incoming, with: known, aliases: aliases)
        let hasFeed = try hasFeed()
        return try episodes.indices.map { index in
            // The listener merged the episode with another one in this library.
            let owner = outcome.reasons[index] == .absorbed ? incoming[index].guid.flatMap { aliases[.guid]?[$0] } : nil
            return try outcome.ids[index] ?? owner ?? insert(episodes[index], incoming[index], hasLeft: hasFeed)
        }
    }

    /// Returns the evidence of an episode; an address whose secret was replaced is not evidence.
    private static func evidence(_ episode: LibraryCopy.Episode) -> EpisodeEvidence {
        let audio = episode.enclosureURL.flatMap(EnclosureIdentity.text).flatMap(wholeText)
        var evidence = EpisodeEvidence(
            guid: ContentDigest.of(episode.guid.flatMap(wholeText)), enclosure: ContentDigest.of(audio),
            title: ContentDigest.of(episode.title.map(EpisodeEvidence.folded)),
            published: episode.published?.secondsSince1970)
        var content = ContentDigest()
        for text in [episode.guid, episode.enclosureURL, episode.title] { content.add(text) }
        content.add(evidence.published)
        evidence.content = content.value
        return evidence
    }

    private static func wholeText(_ text: String) -> String? { PublicAddress.lacksSecrets(text) ? nil : text }

    private func known() throws -> [EpisodeMatcher.Known] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, guid_key, enclosure_key, title_key, published, duration, content_key
                FROM episode WHERE podcast = ? ORDER BY id
                """, arguments: [podcast]
        ).map { row in
            EpisodeMatcher.Known(
                id: try row[0],
                evidence: try EpisodeEvidence(
                    guid: row[1], enclosure: row[2], title: row[3], published: row[4], duration: row[5],
                    content: row[6]))
        }
    }

    private func aliases() throws -> [EpisodeMatcher.Kind: [Int64: Int64]] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT kind, key, episode FROM alias WHERE podcast = ?", arguments: [podcast])
        var aliases: [EpisodeMatcher.Kind: [Int64: Int64]] = [:]
        for row in rows {
            if let kind = EpisodeMatcher.Kind(rawValue: try row[0]) {
                aliases[kind, default: [:]][try row[1]] = try row[2] as Int64
            }
        }
        return aliases
    }

    /// True if the feed was read in this library, so that an episode unknown here is not in the feed either.
    private func hasFeed() throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT good_at IS NOT NULL FROM feed_state WHERE podcast = ?", arguments: [podcast]) ?? false
    }

    private func insert(_ episode: LibraryCopy.Episode, _ evidence: EpisodeEvidence, hasLeft: Bool) throws -> Int64 {
        let values: [String: (any DatabaseValueConvertible)?] = [
            "podcast": podcast, "title": episode.title, "published": evidence.published, "guid": episode.guid ?? "",
            "url": episode.enclosureURL.flatMap(Self.wholeText), "guid_key": evidence.guid,
            "enclosure_key": evidence.enclosure, "title_key": evidence.title, "content_key": evidence.content,
            "sorted": min(evidence.published ?? now, now), "left": hasLeft ? now : nil,
        ]
        try db.execute(
            sql: """
                INSERT INTO episode (podcast, title, published, guid, enclosure_url, guid_key, enclosure_key, title_key,
                    content_key, sorted_at, first_seen_at, left_at, identity)
                VALUES (:podcast, :title, :published, :guid, :url, :guid_key, :enclosure_key, :title_key, :content_key,
                    :sorted, \(Library.stamp), :left, 'new')
                """, arguments: StatementArguments(values))
        return db.lastInsertedRowID
    }
}
