// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
public import Media
import SQLDatabase

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
    /// The chapters of the feed, by their starts.
    public let chapters: [Chapter]
    /// The soundbites of the feed, by their starts.
    public let soundbites: [Soundbite]
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
                chapters: try Self.chapters(in: row["details"], db),
                soundbites: try Self.soundbites(in: row["details"], db))
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
                title: try row["title"], url: try row["url"],
                image: (try row["image"] as String?).map { .url($0) })
        }
    }
}

extension EpisodeNotes {
    /// The summary and notes as one line without markup, for the search index.
    public var words: String { Self.words(html: html, summary: summary) }

    /// Returns the notes as lines of text, or the summary if the episode has no notes.
    /// - Parameter width: the number of columns of a line; `nil` does not wrap lines.
    public func lines(width: Int?) -> [String] {
        guard let text = html ?? summary else { return [] }
        return ShowNotesText.lines(text, width: width ?? Self.unbroken)
    }

    /// The chapters that the lines of the notes list; `nil` if there are none.
    var timedLines: ChapterList? { (html ?? summary).flatMap(ShowNotesChapters.list) }

    /// A width that no paragraph reaches.
    private static let unbroken = 1_000_000

    static func words(html: String?, summary: String?) -> String {
        let notes = html.map(ShowNotesText.words) ?? ""
        // The summary is usually the beginning of the notes.
        guard let summary, !notes.hasPrefix(summary.prefix(80)) else { return notes }
        return notes.isEmpty ? summary : notes + " " + summary
    }
}
