// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
public import Media

/// The properties of an episode that are read only for a detailed view.
public struct EpisodeNotes: Sendable, Equatable {
    /// The summary as plain text.
    public let summary: String?
    /// The notes as sanitized HTML.
    public let html: String?
    public let link: String?
    public let image: String?
    public let author: String?
    public let isExplicit: Bool?
    /// Further enclosures, chapters, transcripts, persons and other elements, as JSON.
    public let details: String?
    /// The rule by which the episode was last identified: `new`, `guid`, `enclosure`, `title`, `order`.
    public let identity: String
    public let firstSeenAt: UTCTime
    public let chapters: [Chapter]
}

extension Library {
    /// Returns the notes of an episode.
    /// - Throws: `missing` if the episode does not exist.
    public func notes(of episode: Int64) throws(LibraryError) -> EpisodeNotes {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT summary, html, details, link, image, author, explicit, identity, first_seen_at
                    FROM episode LEFT JOIN episode_notes ON episode = id WHERE id = ?
                    """, arguments: [episode])
            guard let row else { throw LibraryError(.missing, "there is no episode \(episode)") }
            return EpisodeNotes(
                summary: try row["summary"], html: try row["html"], link: try row["link"], image: try row["image"],
                author: try row["author"], isExplicit: try row["explicit"], details: try row["details"],
                identity: try row["identity"],
                firstSeenAt: UTCTime(secondsSince1970: try row["first_seen_at"]),
                chapters: try Self.chapters(in: row["details"], db))
        }
    }

    private static func chapters(in details: String?, _ db: Database) throws -> [Chapter] {
        guard let details else { return [] }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT value ->> 'start' AS start, value ->> 'title' AS title, value ->> 'url' AS url,
                    value ->> 'image' AS image
                FROM json_each(?, '$.chapters') ORDER BY start
                """, arguments: [details]
        ).map { row in
            Chapter(
                start: .milliseconds(Int64(min(max(0, try row["start"] as Double? ?? 0), 1e9) * 1000)),
                title: try row["title"], url: try row["url"], image: try row["image"])
        }
    }
}
