// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// Full text search over titles and notes (SQLite FTS5). The index holds no texts: they are made anew from the notes
/// where a row is taken out again, so one that is indexed must be taken out before it changes.
///
/// Indexing costs as much as everything else that a merge does, so it is done afterwards, in steps.
enum SearchIndex {
    /// Raised when the words of a text are told otherwise than before, or put elsewhere: what was put in by other words
    /// could not be taken out again, so such an index is made anew.
    static let version = 2

    /// Where the index is of another version, nothing is in it any more.
    static func bringUpToDate(_ database: DatabaseQueue) throws {
        guard try database.read({ try Int.fetchOne($0, sql: "PRAGMA user_version") }) != version else { return }
        try database.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try db.execute(sql: "INSERT INTO episode_search (episode_search) VALUES ('delete-all')")
                try db.execute(sql: "INSERT INTO title_search (title_search) VALUES ('delete-all')")
                try db.execute(sql: "UPDATE episode SET indexed = 0 WHERE indexed = 1")
                try db.execute(sql: "PRAGMA user_version = \(version)")
                return .commit
            }
        }
    }

    static func add(_ id: Int64, _ db: Database) throws {
        guard let (title, notes) = try texts(of: id, db) else { return }
        try db.cachedStatement(sql: "INSERT INTO episode_search (rowid, title, notes) VALUES (?, ?, ?)")
            .execute(arguments: [id, title, notes])
        try db.cachedStatement(sql: "INSERT INTO title_search (rowid, title) VALUES (?, ?)")
            .execute(arguments: [id, title])
        try db.cachedStatement(sql: "UPDATE episode SET indexed = 1 WHERE id = ?").execute(arguments: [id])
    }

    /// Nothing where it is not in the index.
    static func remove(_ id: Int64, _ db: Database) throws {
        let isIndexed = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT indexed FROM episode WHERE id = ?"), arguments: [id])
        guard isIndexed == true, let (title, notes) = try texts(of: id, db) else { return }
        try db.cachedStatement(
            sql: "INSERT INTO episode_search (episode_search, rowid, title, notes) VALUES ('delete', ?, ?, ?)"
        ).execute(arguments: [id, title, notes])
        try db.cachedStatement(
            sql: "INSERT INTO title_search (title_search, rowid, title) VALUES ('delete', ?, ?)"
        ).execute(arguments: [id, title])
        try db.cachedStatement(sql: "UPDATE episode SET indexed = 0 WHERE id = ?").execute(arguments: [id])
    }

    static func remove(podcast: Int64, _ db: Database) throws {
        let ids = try Int64.fetchAll(
            db, sql: "SELECT id FROM episode WHERE podcast = ? AND indexed = 1", arguments: [podcast])
        for id in ids { try remove(id, db) }
    }

    private static func texts(of id: Int64, _ db: Database) throws -> (title: String, notes: String)? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT title, summary, html FROM episode LEFT JOIN episode_notes ON episode = id WHERE id = ?"),
            arguments: [id])
        return try row.map { (try $0[0] ?? "", EpisodeNotes.words(html: try $0[2], summary: try $0[1])) }
    }
}

extension Library {
    static let indexStep = 500

    /// How many episodes cannot be found yet.
    public func countToIndex() throws(LibraryError) -> Int {
        try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM episode WHERE indexed = 0") ?? 0 }
    }

    /// Makes the next few hundred episodes findable, in a transaction of its own.
    /// - Returns: how many; 0 where none is left.
    public func indexSome() throws(LibraryError) -> Int {
        let hasNone = try read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM episode WHERE indexed = 0 LIMIT 1") == nil
        }
        guard !hasNone else { return 0 }
        return try write { db in
            let ids = try Int64.fetchAll(
                db, sql: "SELECT id FROM episode WHERE indexed = 0 ORDER BY id DESC LIMIT ?",
                arguments: [Self.indexStep])
            for id in ids { try SearchIndex.add(id, db) }
            return ids.count
        }
    }

    /// How many of the episodes that came last are looked at: of a word that all have, the newest will do.
    private static let mostFound = 200

    /// Episodes that have all the words, those first that have them in their title, then the newest: the last word may
    /// be unfinished.
    /// - Parameter words: as the listener wrote them; no syntax.
    public func search(_ words: String, limit: Int) throws(LibraryError) -> [EpisodeSummary] {
        try read { db in
            var ids = try Self.found(words, isWhole: true, limit, db)
            // Whatever begins with a common word takes long to gather, and is not needed then.
            if ids.count < limit {
                let known = Set(ids)
                ids += try Self.found(words, isWhole: false, limit, db).filter { !known.contains($0) }
            }
            return try EpisodeSummary.fetch(Array(ids.prefix(limit)), db)
        }
    }

    /// - Parameter isWhole: the last word is finished.
    private static func found(_ words: String, isWhole: Bool, _ limit: Int, _ db: Database) throws -> [Int64] {
        guard let query = query(words, isWhole: isWhole) else { return [] }
        let most = max(limit, mostFound)
        return try Int64.fetchAll(
            db,
            sql: """
                SELECT episode.id FROM (
                    SELECT id, 0 AS place FROM (\(hits(in: "title_search", most)))
                    UNION ALL SELECT id, 1 FROM (\(hits(in: "episode_search", most)))
                ) AS hit
                JOIN episode ON episode.id = hit.id JOIN podcast ON podcast.id = episode.podcast
                WHERE \(EpisodeSummary.isShown)
                GROUP BY episode.id ORDER BY min(place), sorted_at DESC, episode.id DESC LIMIT :limit
                """, arguments: ["query": query, "limit": limit])
    }

    private static func hits(in index: String, _ most: Int) -> String {
        "SELECT rowid AS id FROM \(index) WHERE \(index) MATCH :query ORDER BY rowid DESC LIMIT \(most)"
    }

    /// Each word in quotes, so that nothing in it is syntax.
    static func query(_ words: String, isWhole: Bool = false) -> String? {
        let words = words.split { !($0.isLetter || $0.isNumber) }.map { "\"\($0)\"" }
        guard !words.isEmpty else { return nil }
        return words.joined(separator: " ") + (isWhole ? "" : "*")
    }
}
