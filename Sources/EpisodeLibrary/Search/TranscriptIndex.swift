// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import SQLDatabase

/// Full text search over transcripts (SQLite FTS5), by the rules of `SearchIndex` and in the same version. A whole
/// transcript is one row, so that words of neighbouring cues are found together; `transcript.words` maps the words of
/// the row to cues.
enum TranscriptIndex {
    static let tables = """
        CREATE VIRTUAL TABLE IF NOT EXISTS transcript_words USING fts5(
            text, content = '', columnsize = 0, tokenize = "ascii"
        );
        CREATE INDEX IF NOT EXISTS transcript_to_index ON transcript(episode) WHERE \(SearchIndex.isWaiting);
        """

    static func add(_ episode: Int64, _ words: TranscriptWords, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO transcript_words (rowid, text) VALUES (?, ?)")
            .execute(arguments: [episode, words.text])
        try db.cachedStatement(
            sql: "UPDATE transcript SET indexed = \(SearchIndex.version), words = ? WHERE episode = ?"
        ).execute(arguments: [NumberList.data(words.counts.map(UInt64.init)), episode])
    }

    /// Removes a transcript from the index; does nothing if the index does not contain it.
    static func remove(_ episode: Int64, _ db: Database) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT * FROM transcript WHERE episode = ? AND indexed = \(SearchIndex.version)"),
            arguments: [episode])
        guard let row else { return }
        try db.cachedStatement(
            sql: "INSERT INTO transcript_words (transcript_words, rowid, text) VALUES ('delete', ?, ?)"
        ).execute(arguments: [episode, TranscriptWords(TranscriptRecord(row: row)).text])
        try db.execute(sql: "UPDATE transcript SET indexed = 0 WHERE episode = ?", arguments: [episode])
    }

    static func remove(podcast: Int64, _ db: Database) throws {
        let ids = try Int64.fetchAll(
            db, sql: "SELECT episode FROM transcript JOIN episode ON id = episode WHERE podcast = ?",
            arguments: [podcast])
        for id in ids { try remove(id, db) }
    }

    /// Removes a transcript and the correction of its times.
    static func removeTranscript(of episode: Int64, _ db: Database) throws {
        try remove(episode, db)
        for table in ["transcript", "transcript_shift"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE episode = ?", arguments: [episode])
        }
    }

    /// Adds the next transcripts that are not in the index, after a change of its version.
    /// - Returns: the number of added transcripts.
    static func addWaiting(limit: Int, _ db: Database) throws -> Int {
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM transcript WHERE \(SearchIndex.isWaiting) LIMIT ?", arguments: [limit])
        for row in rows { try add(row["episode"], TranscriptWords(TranscriptRecord(row: row)), db) }
        return rows.count
    }
}
