// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// Full text search over titles and notes (SQLite FTS5). The index holds no texts: they are made again from the notes
/// where a row is taken out, so a row that is indexed must be taken out before it changes.
///
/// Indexing costs as much as everything else that a merge does, so it is done afterwards, in steps.
enum SearchIndex {
    /// Raised when a text is split or folded in another way than before, or put elsewhere: its old words could not be
    /// taken out again, so such an index is built again. `episode.indexed` is the version that the episode is in.
    static let version = 3

    /// Makes an empty index where there is none of this version. No episode is written, so that an update of the
    /// program does not hold up its next command.
    static func bringUpToDate(_ database: DatabaseQueue) throws {
        guard try database.read(present) != version else { return }
        try database.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                // Another process may have been quicker.
                let former = try present(db)
                if former != version { try db.execute(sql: tables) }
                // A later program has taken only some of these out of the index of this version.
                if former > version { try db.execute(sql: "UPDATE episode SET indexed = 0 WHERE indexed = \(version)") }
                return .commit
            }
        }
    }

    private static func present(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }

    private static let tables = """
        DROP TABLE IF EXISTS episode_words;
        DROP TABLE IF EXISTS title_words;
        DROP INDEX IF EXISTS episode_to_index;
        CREATE VIRTUAL TABLE episode_words USING fts5(
            title, notes, content = '', columnsize = 0, tokenize = "ascii"
        );
        CREATE VIRTUAL TABLE title_words USING fts5(title, content = '', columnsize = 0, tokenize = "ascii");
        CREATE INDEX episode_to_index ON episode(id) WHERE \(isWaiting);
        PRAGMA user_version = \(version);
        """

    /// The condition of the index over the episodes that cannot be found yet.
    static let isWaiting = "indexed <> \(version)"

    static func add(_ id: Int64, _ db: Database) throws {
        guard let (title, notes) = try texts(of: id, db) else { return }
        try db.cachedStatement(sql: "INSERT INTO episode_words (rowid, title, notes) VALUES (?, ?, ?)")
            .execute(arguments: [id, title, notes])
        try db.cachedStatement(sql: "INSERT INTO title_words (rowid, title) VALUES (?, ?)")
            .execute(arguments: [id, title])
        try db.cachedStatement(sql: "UPDATE episode SET indexed = \(version) WHERE id = ?").execute(arguments: [id])
    }

    /// Nothing where it is not in the index.
    static func remove(_ id: Int64, _ db: Database) throws {
        let indexed = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT indexed FROM episode WHERE id = ?"), arguments: [id])
        guard indexed == version, let (title, notes) = try texts(of: id, db) else { return }
        try db.cachedStatement(
            sql: "INSERT INTO episode_words (episode_words, rowid, title, notes) VALUES ('delete', ?, ?, ?)"
        ).execute(arguments: [id, title, notes])
        try db.cachedStatement(
            sql: "INSERT INTO title_words (title_words, rowid, title) VALUES ('delete', ?, ?)"
        ).execute(arguments: [id, title])
        try db.cachedStatement(sql: "UPDATE episode SET indexed = 0 WHERE id = ?").execute(arguments: [id])
    }

    static func remove(podcast: Int64, _ db: Database) throws {
        let ids = try Int64.fetchAll(
            db, sql: "SELECT id FROM episode WHERE podcast = ? AND indexed = \(version)", arguments: [podcast])
        for id in ids { try remove(id, db) }
    }

    private static func texts(of id: Int64, _ db: Database) throws -> (title: String, notes: String)? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT title, summary, html FROM episode LEFT JOIN episode_notes ON episode = id WHERE id = ?"),
            arguments: [id])
        return try row.map { row in
            let notes = EpisodeNotes.words(html: try row[2], summary: try row[1])
            return (SearchWords.text(try row[0] ?? ""), SearchWords.text(notes))
        }
    }
}

extension Library {
    static let indexStep = 500

    /// How many episodes cannot be found yet.
    public func countToIndex() throws(LibraryError) -> Int {
        try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM episode WHERE \(SearchIndex.isWaiting)") ?? 0 }
    }

    /// Makes the next few hundred episodes findable, in a transaction of its own.
    /// - Returns: how many; 0 where none is left.
    public func indexSome() throws(LibraryError) -> Int {
        let hasNone = try read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM episode WHERE \(SearchIndex.isWaiting) LIMIT 1") == nil
        }
        guard !hasNone else { return 0 }
        return try maintain { db in
            let ids = try Int64.fetchAll(
                db, sql: "SELECT id FROM episode WHERE \(SearchIndex.isWaiting) ORDER BY id DESC LIMIT ?",
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
        guard let query = SearchQuery(words) else { return [] }
        return try read { db in
            var ids: [Int64] = []
            var known: Set<Int64> = []
            // The words that begin with a common one take long to gather, and are not needed if that one is found.
            for isWhole in [true, false] {
                for index in ["title_words", "episode_words"] where ids.count < limit {
                    let found = try Self.found(query.expression(isWhole: isWhole), in: index, limit, db)
                    ids += found.filter { known.insert($0).inserted }
                }
            }
            return try EpisodeSummary.fetch(Array(ids.prefix(limit)), db)
        }
    }

    private static func found(
        _ expression: String, in index: String, _ limit: Int, _ db: Database
    ) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM (
                        SELECT episode.id, sorted_at FROM \(index)
                        -- CROSS: from the few that have the words, the latest first.
                        CROSS JOIN episode ON episode.id = \(index).rowid
                        CROSS JOIN podcast ON podcast.id = episode.podcast
                        WHERE \(index) MATCH :query AND \(EpisodeSummary.isShown)
                        ORDER BY \(index).rowid DESC LIMIT :most
                    ) ORDER BY sorted_at DESC, id DESC
                    """), arguments: ["query": expression, "most": max(limit, mostFound)])
    }

    /// Episodes with these words in their title that are not in the index yet. Each title is read: no name has to wait
    /// for the index, nor for the right to write.
    func waitingEpisodes(titled query: SearchQuery, isWhole: Bool) throws(LibraryError) -> [Int64] {
        try read { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT id, title FROM episode WHERE \(SearchIndex.isWaiting)")
            var ids: [Int64] = []
            while let row = try rows.next() {
                if let title = try row[1] as String?, query.matches(title, isWhole: isWhole) { ids.append(try row[0]) }
            }
            return ids
        }
    }
}
