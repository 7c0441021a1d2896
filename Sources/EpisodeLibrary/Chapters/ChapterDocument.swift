// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// A document of chapters to fetch, to which a feed refers (`podcast:chapters`).
public struct ChapterDocument: Sendable, Equatable {
    public let episode: Int64
    public let podcast: Int64
    public let url: String

    public init(episode: Int64, podcast: Int64, url: String) {
        (self.episode, self.podcast, self.url) = (episode, podcast, url)
    }
}

extension Library {
    /// The age at which an episode's document is no longer fetched for its own sake, only if the listener uses it or
    /// the episode is one of the newest of its podcast.
    private static let wantedAge: Int64 = 60 * 86_400
    private static let newestWanted = 5
    /// The age of an episode up to which its document may still change, and the time between two requests.
    private static let changingAge: Int64 = 7 * 86_400
    private static let interval: Int64 = 86_400

    /// Returns the documents to fetch now, the newest episodes first: those never requested of recent episodes, of the
    /// newest ones of each podcast, and of episodes that the listener uses, and each day those of the last week.
    /// - Parameters:
    ///   - podcasts: the podcasts to consider.
    ///   - limit: the maximum number of documents.
    public func dueChapterDocuments(
        of podcasts: Set<Int64>, limit: Int
    ) throws(LibraryError) -> [ChapterDocument] {
        try read { db in
            let now = now().secondsSince1970
            return try Row.fetchAll(
                db, sql: Self.dueChapterDocumentsQuery,
                arguments: [
                    "podcasts": "\(podcasts.sorted())", "yesterday": now - Self.interval, "now": now,
                    "changing": now - Self.changingAge, "wanted": now - Self.wantedAge, "limit": limit,
                ]
            ).map { ChapterDocument(episode: try $0[0], podcast: try $0[1], url: try $0[2]) }
        }
    }

    /// Begins with the few episodes that can be due, because nearly all documents of a large library are not. The
    /// cross join keeps that order.
    static let dueChapterDocumentsQuery = """
        WITH chosen AS (
            SELECT podcast.id FROM json_each(:podcasts) JOIN podcast ON podcast.id = value
            WHERE unsubscribed_at IS NULL
        ), candidate AS (
            SELECT episode.id FROM chosen JOIN episode ON episode.podcast = chosen.id WHERE sorted_at > :wanted
            UNION SELECT episode.id FROM chosen JOIN episode ON episode.id IN (
                SELECT other.id FROM episode AS other WHERE other.podcast = chosen.id
                ORDER BY other.sorted_at DESC, other.id DESC LIMIT \(newestWanted))
            UNION \(EpisodeSummary.touched)
        )
        SELECT document.episode, episode.podcast, document.url
        FROM candidate CROSS JOIN chapter_document AS document ON document.episode = candidate.id
        JOIN episode ON episode.id = candidate.id
        WHERE episode.podcast IN chosen
        AND (tried_at IS NULL OR tried_at NOT BETWEEN :yesterday AND :now AND sorted_at > :changing)
        ORDER BY sorted_at DESC, episode.id DESC LIMIT :limit
        """

    /// Returns the document of an episode that is played; `nil` if there is none, and if it was requested within a day
    /// or has arrived and no longer changes.
    public func dueChapterDocument(ofPlayed episode: Int64) throws(LibraryError) -> ChapterDocument? {
        try read { db in
            let now = now().secondsSince1970
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT episode.podcast, document.url
                    FROM chapter_document AS document JOIN episode ON episode.id = document.episode
                    WHERE episode.id = :episode
                    AND (tried_at IS NULL OR tried_at NOT BETWEEN :yesterday AND :now
                        AND (chapters IS NULL OR sorted_at > :changing))
                    """,
                arguments: [
                    "episode": episode, "yesterday": now - Self.interval, "now": now,
                    "changing": now - Self.changingAge,
                ])
            return try row.map { ChapterDocument(episode: episode, podcast: try $0[0], url: try $0[1]) }
        }
    }

    /// Stores the chapters of a document; does nothing if the feed refers to another document meanwhile.
    public func store(_ list: ChapterList, from document: ChapterDocument) throws(LibraryError) {
        let text = StoredChapters.text(list.chapters)
        try write { db in
            try db.execute(
                sql: """
                    UPDATE chapter_document SET chapters = ?, tried_at = ?, failure = NULL
                    WHERE episode = ? AND url = ?
                    """, arguments: [text, now().secondsSince1970, document.episode, document.url])
        }
    }

    /// Notes that a document cannot be fetched, for this reason; chapters fetched before stay.
    public func noteChapterFailure(_ reason: String, of document: ChapterDocument) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: "UPDATE chapter_document SET tried_at = ?, failure = ? WHERE episode = ? AND url = ?",
                arguments: [now().secondsSince1970, reason, document.episode, document.url])
        }
    }

    /// Returns the lists of chapters outside the audio file of an episode: the document's, the feed's, and that in the
    /// notes.
    public func chapterLists(of episode: Int64) throws(LibraryError) -> [ChapterList] {
        let notes = try notes(of: episode)
        let stored = try read { db in
            try StoredChapters.chapters(
                try String.fetchOne(
                    db, sql: "SELECT chapters FROM chapter_document WHERE episode = ?", arguments: [episode]), db)
        }
        let lists = [ChapterList(.json, stored), ChapterList(.podlove, notes.chapters), notes.timedLines]
        return lists.compactMap { $0 }.filter { !$0.chapters.isEmpty }
    }
}

/// The table of the documents, which has a row for each episode whose feed entry refers to one.
enum ChapterDocumentTable {
    /// Notes the document of a stored episode, or that it has none.
    /// - Parameter details: the details of the episode, which contain the URL.
    static func update(_ episode: Int64, details: String?, _ db: Database) throws {
        guard let details, details.contains("\"chaptersURL\"") else {
            return try db.cachedStatement(sql: "DELETE FROM chapter_document WHERE episode = ?")
                .execute(arguments: [episode])
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO chapter_document (episode, url)
                SELECT :episode, :details ->> '$.chaptersURL' WHERE :details ->> '$.chaptersURL' IS NOT NULL
                ON CONFLICT (episode) DO UPDATE SET url = excluded.url, tried_at = NULL, failure = NULL
                WHERE url <> excluded.url
                """
        ).execute(arguments: ["episode": episode, "details": details])
    }

    /// Removes the chapters of audio that was replaced; they are fetched again.
    static func forgetChapters(of episode: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE chapter_document SET chapters = NULL, tried_at = NULL WHERE episode = ?", arguments: [episode])
    }
}

/// The stored form of a list: a JSON array of objects, with times in milliseconds.
enum StoredChapters {
    static func text(_ chapters: [Chapter]) -> String {
        var json = JSONWriter()
        json.array { json in
            for chapter in chapters { json.object { json in write(chapter, to: &json) } }
        }
        return json.text
    }

    private static func write(_ chapter: Chapter, to json: inout JSONWriter) {
        json.field("start", chapter.start.microseconds / 1000)
        json.field("end", chapter.end.map { $0.microseconds / 1000 })
        json.field("title", chapter.title)
        json.field("url", chapter.url)
        json.field("image", chapter.imageURL)
        json.field("hidden", chapter.isInTableOfContents ? nil : true)
    }

    /// Parses a text that `text` wrote; returns no chapters for anything else.
    static func chapters(_ text: String?, _ db: Database) throws -> [Chapter] {
        guard let text else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT value ->> 'start' AS start, value ->> 'end' AS end, value ->> 'title' AS title,
                    value ->> 'url' AS url, value ->> 'image' AS image, value ->> 'hidden' AS hidden
                FROM json_each(iif(json_valid(:text), :text, '[]'))
                """, arguments: ["text": text])
        return try rows.compactMap { row in
            guard let start = try row["start"] as Int64? else { return nil }
            let end: Int64? = try row["end"]
            let hidden: Bool? = try row["hidden"]
            return Chapter(
                start: .milliseconds(start), end: end.map { .milliseconds($0) }, title: try row["title"],
                url: try row["url"], image: (try row["image"] as String?).map { .url($0) },
                isInTableOfContents: hidden != true)
        }
    }
}
