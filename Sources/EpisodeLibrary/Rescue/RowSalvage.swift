// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// Copies rows from a file that may be damaged into a new library: from both ends of each table up to what cannot be
/// read.
struct RowSalvage {
    /// What belongs to the listener, parents first. The journal is about rows that may be missing, and what servers
    /// answered is asked again.
    static let tables = [
        "podcast", "former_address", "credential", "setting", "episode", "episode_notes", "alias", "playback",
        "listened", "bookmark", "queue_entry", "download",
    ]

    let target: Database

    /// Copies what the target does not have yet. What cannot be read is passed over.
    func copy(from source: DatabaseQueue) throws {
        for table in Self.tables { try copy(table, from: source) }
    }

    private func copy(_ table: String, from source: DatabaseQueue) throws {
        let known = try target.columns(in: table).map(\.name)
        let there = Set(try columns(of: table, in: source))
        let columns = known.filter(there.contains)
        guard !columns.isEmpty else { return }
        let keys = try target.primaryKey(table).columns
        let insert = Insertion(target, table, columns)
        for direction in ["ASC", "DESC"] {
            let order = keys.map { "\($0) \(direction)" }.joined(separator: ", ")
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(order)"
            if try isWhole(source, sql, insert) { return }
        }
    }

    private func columns(of table: String, in source: DatabaseQueue) throws -> [String] {
        do {
            return try source.read { db in try db.columns(in: table).map(\.name) }
        } catch let error as DatabaseError where Self.isDamage(error) {
            return []
        }
    }

    /// Whether what is asked for is not in the file; else it may be there, and cannot be read just now.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
    }

    /// - Returns: whether the table was read to its end.
    private func isWhole(_ source: DatabaseQueue, _ sql: String, _ insert: Insertion) throws -> Bool {
        do {
            try source.read { db in
                let rows = try Row.fetchCursor(db, sql: sql)
                while let row = try rows.next() { try insert.take(Array(row.databaseValues)) }
            }
            return true
        } catch let error as DatabaseError where Self.isDamage(error) && !insert.hasFailed {
            return false
        }
    }

    /// One row after the other, those left out that no library can have.
    private final class Insertion {
        private let target: Database
        private let sql: String
        /// The new library cannot be written.
        private(set) var hasFailed = false

        init(_ target: Database, _ table: String, _ columns: [String]) {
            self.target = target
            sql = "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(databaseQuestionMarks(count: columns.count)))"
        }

        func take(_ values: [DatabaseValue]) throws {
            do {
                try target.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // A value of another type than the column's.
                return
            } catch {
                hasFailed = true
                throw error
            }
        }
    }

    /// Removes rows whose episode or podcast is lost, and lets the next refresh and the next search fill in the rest.
    func settle() throws {
        try target.execute(
            sql: """
                DELETE FROM former_address WHERE podcast NOT IN (SELECT id FROM podcast);
                DELETE FROM credential WHERE podcast NOT IN (SELECT id FROM podcast);
                DELETE FROM setting WHERE podcast <> 0 AND podcast NOT IN (SELECT id FROM podcast);
                DELETE FROM episode WHERE podcast NOT IN (SELECT id FROM podcast);
                """)
        for table in ["episode_notes", "alias", "playback", "listened", "bookmark", "queue_entry", "download"] {
            try target.execute(sql: "DELETE FROM \(table) WHERE episode NOT IN (SELECT id FROM episode)")
        }
        // An entry that seems to have changed is stored again, with its notes.
        try target.execute(
            sql: """
                UPDATE episode SET indexed = 0;
                UPDATE episode SET content_key = 0 WHERE id NOT IN (SELECT episode FROM episode_notes);
                """)
    }
}
