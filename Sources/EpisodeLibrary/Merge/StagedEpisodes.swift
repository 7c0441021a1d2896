// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase
import Synchronization

/// The episodes that wait for the end of their document in a table of this connection's temporary database: SQLite
/// keeps a small part of it in memory and the rest in an unnamed file. The library itself is not changed.
final class StagedEpisodes {
    private let library: Library
    private let table = "staged_\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    /// A counter for the names of the temporary tables, which share the few connections of a process.
    private static let count = Atomic<Int>(0)

    init(_ library: Library) throws(LibraryError) {
        self.library = library
        let columns = (["place"] + EpisodeContent.columns + EpisodeContent.notesColumns).joined(separator: ", ")
        do {
            try library.database.writeWithoutTransaction { [table] db in
                try db.execute(sql: "CREATE TEMP TABLE \(table) (\(columns))")
            }
        } catch {
            throw LibraryError(error, at: library.path)
        }
    }

    func add(_ episodes: [(index: Int, content: EpisodeContent)]) throws(LibraryError) {
        do {
            try library.database.writeWithoutTransaction { db in
                try db.inTransaction(.deferred) {
                    let places = databaseQuestionMarks(
                        count: 1 + EpisodeContent.columns.count + EpisodeContent.notesColumns.count)
                    let statement = try db.cachedStatement(sql: "INSERT INTO temp.\(table) VALUES (\(places))")
                    for (index, content) in episodes {
                        try statement.execute(
                            arguments: StatementArguments([index] + content.row + content.notes))
                    }
                }
            }
        } catch {
            throw LibraryError(error, at: library.path)
        }
    }

    func forEach(_ db: Database, _ body: (Int, EpisodeContent) throws -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM temp.\(table) ORDER BY rowid DESC")
        while let row = try rows.next() { try body(try row[0], EpisodeContent(staged: row)) }
    }

    func drop() {
        // A table that cannot be dropped disappears with the connection.
        try? library.database.writeWithoutTransaction { db in try db.execute(sql: "DROP TABLE temp.\(table)") }
    }
}
