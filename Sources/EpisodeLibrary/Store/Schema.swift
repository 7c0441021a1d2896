// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// The tables, as migrations that are only ever added to: a released one is never changed, for libraries exist that
/// were made by it.
enum Schema {
    static let migrations: [(name: String, sql: String)] = [("1", SchemaV1.sql)]

    static func bringUpToDate(_ database: DatabaseQueue) throws {
        let migrator = migrator
        let known = Set(migrator.migrations)
        // The usual case, one short query: nothing is to be done, and nothing is written.
        let applied = try database.read { db in
            try db.tableExists("grdb_migrations") ? migrator.appliedIdentifiers(db) : []
        }
        guard applied.isSubset(of: known) else {
            throw LibraryError(.newer, "the library was made by a later version of this program: update it")
        }
        guard applied != known else { return }
        try migrator.migrate(database)
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for (name, sql) in migrations {
            migrator.registerMigration(name) { db in try db.execute(sql: sql) }
        }
        return migrator
    }
}
