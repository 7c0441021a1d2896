// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// The tables, as a list of migrations to which new ones are appended. A released migration never changes, because
/// libraries created by it exist.
enum Schema {
    static let migrations: [(name: String, sql: String)] = [
        ("1", SchemaV1.sql), ("2", SchemaV2.sql),
        ("search-in-every-script-and-times-of-marks", SchemaOfSearch.sql + SchemaOfTimes.sql),
        ("download-issues", SchemaDownloadIssues.sql),
    ]

    static func migrateToLatest(_ database: DatabaseQueue) throws {
        let migrator = migrator
        let known = Set(migrator.migrations)
        // The usual case: one short query, no migration and no write.
        let applied = try Self.applied(migrator, to: database)
        guard applied.isSubset(of: known) else {
            throw LibraryError(.newer, "the library was created by a later version of earshot: update earshot")
        }
        try migrate(database, by: migrator, from: applied)
    }

    private static func migrate(
        _ database: DatabaseQueue, by migrator: DatabaseMigrator, from applied: Set<String>
    ) throws {
        guard applied != Set(migrator.migrations) else { return }
        do {
            try migrator.migrate(database)
        } catch {
            // Another process may have run some migrations at the same time: only the rest remains.
            let more = try Self.applied(migrator, to: database)
            guard more.count > applied.count else { throw error }
            try migrate(database, by: migrator, from: more)
        }
    }

    private static func applied(_ migrator: DatabaseMigrator, to database: DatabaseQueue) throws -> Set<String> {
        try database.read { db in
            try db.tableExists("grdb_migrations") ? Set(migrator.appliedIdentifiers(db)) : []
        }
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for (name, sql) in migrations {
            migrator.registerMigration(name) { db in try db.execute(sql: sql) }
        }
        return migrator
    }
}
