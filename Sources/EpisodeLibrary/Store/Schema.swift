// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The tables, as a list of migrations to which new ones are appended. A released migration never changes, because
/// libraries created by it exist.
enum Schema {
    static let migrations: [(name: String, sql: String)] = [
        ("1", SchemaV1.sql), ("2", SchemaV2.sql),
        ("search-in-every-script-and-times-of-marks", SchemaOfSearch.sql + SchemaOfTimes.sql),
        ("download-issues", SchemaDownloadIssues.sql), ("transcripts", SchemaOfTranscripts.sql),
        (
            "listening",
            SchemaOfLoudness.sql + SchemaOfTranscriptShifts.sql + SchemaOfChapterDocuments.sql + SchemaOfListening.sql
                + SchemaOfSmartQueues.sql
        ),
        ("counted-time", SchemaOfCountedTime.sql), ("transcript-steps", SchemaOfTranscriptSteps.sql),
        ("time-anchors", SchemaOfTimeAnchors.sql), ("file-hashes", SchemaOfFileHashes.sql),
    ]

    /// Runs the migrations that the library lacks.
    /// - Parameter last: the last migration to run; `nil` means all.
    /// - Throws: `newer` if a later version migrated the library.
    static func migrate(_ database: DatabaseQueue, upTo last: String? = nil) throws {
        let end = migrations.firstIndex { $0.name == last }.map { $0 + 1 } ?? migrations.count
        let names = Set(migrations.map(\.name))
        // The usual case: one short query, no migration and no write.
        let applied = try database.read(applied)
        guard applied.isSubset(of: names) else {
            throw LibraryError(.newer, "the library was created by a later version of earshot: update earshot")
        }
        guard applied.count < end else { return }
        try database.writeWithoutTransaction { db in
            for migration in migrations[..<end] where !applied.contains(migration.name) {
                try run(migration.name, migration.sql, db)
            }
        }
    }

    /// A migration may delete and replace a table to which others refer, so foreign keys are not checked.
    private static func run(_ name: String, _ sql: String, _ db: Database) throws {
        let hasForeignKeys = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? false
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        let result = Result {
            try db.inTransaction(.immediate) {
                // Another process may have run the migration in the meantime.
                guard try !applied(db).contains(name) else { return }
                try db.execute(sql: creation)
                try db.execute(sql: sql)
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [name])
            }
        }
        if hasForeignKeys { try db.execute(sql: "PRAGMA foreign_keys = ON") }
        try result.get()
    }

    /// The name and the text are those of the libraries of version 0.1.
    private static let creation = """
        CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)
        """

    private static func applied(_ db: Database) throws -> Set<String> {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try String.fetchSet(db.cachedStatement(sql: "SELECT identifier FROM grdb_migrations"))
    }
}
