// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// A copier of rows from a possibly damaged file into a new library: from both ends of each table up to the
/// unreadable part.
struct RowRecovery {
    /// The tables with the listener's data, parents first. The journal is left out because it refers to rows that may
    /// be missing; answers of servers are left out because they can be requested again.
    static let tables = [
        "podcast", "former_address", "credential", "setting", "episode", "episode_notes", "transcript",
        "chapter_document", "alias", "playback", "listened", "bookmark", "queue_entry", "download", "loudness",
        "transcript_shift", "listening_day", "smart_queue",
    ]

    let target: Database

    /// Copies the rows that the target does not have yet; unreadable rows are skipped.
    func copy(from source: DatabaseQueue) throws {
        for table in Self.tables { try copy(table, from: source) }
    }

    private func copy(_ table: String, from source: DatabaseQueue) throws {
        let known = try target.columns(in: table)
        let there = Set(try columns(of: table, in: source))
        let columns = known.filter(there.contains)
        guard !columns.isEmpty else { return }
        let keys = try target.primaryKey(table)
        let insert = Insertion(target, table, columns)
        for direction in ["ASC", "DESC"] {
            let order = keys.map { "\($0) \(direction)" }.joined(separator: ", ")
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(order)"
            if try isWhole(source, sql, insert) { return }
        }
    }

    private func columns(of table: String, in source: DatabaseQueue) throws -> [String] {
        do {
            return try source.read { db in try db.columns(in: table) }
        } catch let error as DatabaseError where Self.isDamage(error) {
            return []
        }
    }

    /// True if the error means that the requested data is not in the file; other errors may be temporary.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
    }

    /// - Returns: true if the table was read to its end.
    private func isWhole(_ source: DatabaseQueue, _ sql: String, _ insert: Insertion) throws -> Bool {
        do {
            try source.read { db in
                let rows = try Row.fetchCursor(db, sql: sql)
                while let row = try rows.next() { try insert.insert(row.databaseValues) }
            }
            return true
        } catch let error as DatabaseError where Self.isDamage(error) && !insert.hasFailed {
            return false
        }
    }

    /// An inserter of single rows that skips those that violate the schema.
    private final class Insertion {
        private let target: Database
        private let sql: String
        /// True if the new library could not be written.
        private(set) var hasFailed = false

        init(_ target: Database, _ table: String, _ columns: [String]) {
            self.target = target
            sql =
                "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(databaseQuestionMarks(count: columns.count)))"
        }

        func insert(_ values: [DatabaseValue]) throws {
            do {
                try target.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // The value has another type than the column.
                return
            } catch {
                hasFailed = true
                throw error
            }
        }
    }

    /// Removes rows whose episode or podcast is lost, and prepares the rest to be completed by the next refresh and
    /// search.
    func finish() throws {
        try target.execute(
            sql: """
                DELETE FROM former_address WHERE podcast NOT IN (SELECT id FROM podcast);
                DELETE FROM credential WHERE podcast NOT IN (SELECT id FROM podcast);
                DELETE FROM setting WHERE podcast <> 0 AND podcast NOT IN (SELECT id FROM podcast);
                DELETE FROM episode WHERE podcast NOT IN (SELECT id FROM podcast);
                """)
        try ListeningSums.keepFormerPodcasts(target)
        let ofEpisodes = [
            "episode_notes", "transcript", "chapter_document", "alias", "playback", "listened", "bookmark",
            "queue_entry", "download", "loudness", "transcript_shift",
        ]
        for table in ofEpisodes {
            try target.execute(sql: "DELETE FROM \(table) WHERE episode NOT IN (SELECT id FROM episode)")
        }
        // An entry that seems to have changed is stored again with its notes.
        try target.execute(
            sql: """
                UPDATE episode SET indexed = 0;
                UPDATE transcript SET indexed = 0;
                UPDATE episode SET content_key = 0 WHERE id NOT IN (SELECT episode FROM episode_notes);
                """)
    }
}
