// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The episodes that wait for the end of their document in a temporary database: SQLite keeps a small part of it in
/// memory and the rest in an unnamed file. It is not that of a library's connection, which may be replaced meanwhile.
final class StagedEpisodes {
    private let path: String
    private let database: DatabaseQueue

    /// - Parameter path: the path of the library, for errors.
    init(forLibraryAt path: String) throws(LibraryError) {
        self.path = path
        let columns = (["place"] + EpisodeContent.columns + EpisodeContent.notesColumns).joined(separator: ", ")
        do {
            database = try DatabaseQueue(path: "")
            try database.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE staged (\(columns))") }
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    func add(_ episodes: [(index: Int, content: EpisodeContent)]) throws(LibraryError) {
        do {
            try database.writeWithoutTransaction { db in
                try db.inTransaction(.deferred) {
                    let places = databaseQuestionMarks(
                        count: 1 + EpisodeContent.columns.count + EpisodeContent.notesColumns.count)
                    let statement = try db.cachedStatement(sql: "INSERT INTO staged VALUES (\(places))")
                    for (index, content) in episodes {
                        try statement.execute(
                            arguments: StatementArguments([index] + content.row + content.notes))
                    }
                }
            }
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    func forEach(_ body: (Int, EpisodeContent) throws -> Void) throws {
        try database.writeWithoutTransaction { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM staged ORDER BY rowid DESC")
            while let row = try rows.next() { try body(try row[0], EpisodeContent(staged: row)) }
        }
    }
}
