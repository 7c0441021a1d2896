// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// Full text search over titles and notes (SQLite FTS5). The index stores no texts: to remove a row, its words are
/// computed again from the notes, so an indexed row must be removed before it changes.
///
/// Indexing costs as much as the rest of a merge, so it is done afterwards, in steps.
enum SearchIndex {
    /// The version of the index. Raise it when texts are split, folded or stored in another way: the old words could
    /// not be removed then, so the index is built again. `episode.indexed` is the index version that contains the
    /// episode.
    static let version = 4

    /// Creates an empty index if the present one has another version or is missing. It indexes no episodes, so that
    /// the first command after an update of the program is not delayed.
    static func replaceIfOutdated(_ database: DatabaseQueue) throws {
        guard try database.read(isOutdated) else { return }
        try database.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                // Another process may have created it in the meantime.
                guard try isOutdated(db) else { return }
                if try present(db) != version {
                    try db.execute(sql: tables)
                    try forgetAll(in: "episode", db)
                }
                try db.execute(sql: TranscriptIndex.tables)
                try forgetAll(in: "transcript", db)
            }
        }
    }

    /// Marks the rows that an index of this version contained before another version of the program replaced it.
    private static func forgetAll(in table: String, _ db: Database) throws {
        try db.execute(sql: "UPDATE \(table) SET indexed = 0 WHERE indexed = \(version)")
    }

    /// True if the index has another version, or if the library is older than the index of transcripts.
    private static func isOutdated(_ db: Database) throws -> Bool {
        try present(db) != version || !db.tableExists("transcript_words")
    }

    private static func present(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }

    private static let tables = """
        DROP TABLE IF EXISTS episode_words;
        DROP TABLE IF EXISTS title_words;
        DROP TABLE IF EXISTS transcript_words;
        DROP INDEX IF EXISTS episode_to_index;
        DROP INDEX IF EXISTS transcript_to_index;
        CREATE VIRTUAL TABLE episode_words USING fts5(
            title, notes, content = '', columnsize = 0, tokenize = "ascii"
        );
        CREATE VIRTUAL TABLE title_words USING fts5(title, content = '', columnsize = 0, tokenize = "ascii");
        CREATE INDEX episode_to_index ON episode(id) WHERE \(isWaiting);
        PRAGMA user_version = \(version);
        """

    /// The condition of the SQL indexes over the episodes and transcripts that are not in the search index yet.
    static let isWaiting = "indexed <> \(version)"

    static func add(_ id: Int64, _ db: Database) throws {
        guard let (title, notes) = try texts(of: id, db) else { return }
        try db.cachedStatement(sql: "INSERT INTO episode_words (rowid, title, notes) VALUES (?, ?, ?)")
            .execute(arguments: [id, title, notes])
        try db.cachedStatement(sql: "INSERT INTO title_words (rowid, title) VALUES (?, ?)")
            .execute(arguments: [id, title])
        try db.cachedStatement(sql: "UPDATE episode SET indexed = \(version) WHERE id = ?").execute(arguments: [id])
    }

    /// Removes an episode and its transcript from the index, before they are deleted.
    static func removeAll(_ id: Int64, _ db: Database) throws {
        try remove(id, db)
        try TranscriptIndex.remove(id, db)
    }

    /// Removes an episode from the index; does nothing if the index does not contain it.
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

    /// Removes the episodes of a podcast and their transcripts from the index, before they are deleted.
    static func remove(podcast: Int64, _ db: Database) throws {
        let ids = try Int64.fetchAll(
            db, sql: "SELECT id FROM episode WHERE podcast = ? AND indexed = \(version)", arguments: [podcast])
        for id in ids { try remove(id, db) }
        try TranscriptIndex.remove(podcast: podcast, db)
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
    private static let transcriptStep = 20

    /// Returns the number of episodes and transcripts that are not in the index yet.
    public func countToIndex() throws(LibraryError) -> Int {
        try read { db in
            let counts = ["episode", "transcript"].map { "(SELECT count(*) FROM \($0) WHERE \(SearchIndex.isWaiting))" }
            return try Int.fetchOne(db, sql: "SELECT " + counts.joined(separator: " + ")) ?? 0
        }
    }

    /// Adds the next few hundred episodes to the index, or the next few transcripts, in a separate transaction.
    /// - Returns: the number of added episodes or transcripts; 0 if none is left.
    public func indexSome() throws(LibraryError) -> Int {
        guard try countToIndex() > 0 else { return 0 }
        return try maintain { db in
            let ids = try Int64.fetchAll(
                db, sql: "SELECT id FROM episode WHERE \(SearchIndex.isWaiting) ORDER BY id DESC LIMIT ?",
                arguments: [Self.indexStep])
            for id in ids { try SearchIndex.add(id, db) }
            return try ids.isEmpty ? TranscriptIndex.addWaiting(limit: Self.transcriptStep, db) : ids.count
        }
    }

    /// The number of latest matches to consider: for a word that all episodes contain, the newest are enough.
    private static let mostFound = 200

    /// Returns the episodes that contain all the words: first those with the words in their title, then the others,
    /// each newest first. The last word may be a prefix.
    /// - Parameter words: the words as the listener typed them, without a query syntax.
    public func search(_ words: String, limit: Int) throws(LibraryError) -> [EpisodeSummary] {
        guard let query = SearchQuery(words) else { return [] }
        return try read { db in
            var ids: [Int64] = []
            var known: Set<Int64> = []
            // Matches of a common prefix take long to collect, and are not needed if the whole word gives enough
            // results.
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

    /// Returns the episodes that are not in the index yet and have these words in their title. It reads each such
    /// title, so that resolving a name waits neither for the index nor for write access.
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
