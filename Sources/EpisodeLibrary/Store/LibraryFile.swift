// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import SQLDatabase

/// The file of a library, opened with SQLite.
enum LibraryFile {
    /// Opens the file, creates it if it does not exist, and migrates its tables.
    static func open(_ path: String, _ now: @escaping @Sendable () -> UTCTime) throws -> DatabaseQueue {
        try PrivateFile.make(path)
        let database = try DatabaseQueue(path: path, configuration: configuration(now))
        try Schema.migrate(database)
        try SearchIndex.replaceIfOutdated(database)
        // SQLite can read a library that it cannot write only after it has read its log once.
        _ = try database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
        return database
    }

    private static func configuration(_ now: @escaping @Sendable () -> UTCTime) -> Configuration {
        var configuration = memoryConfiguration(now)
        configuration.prepareDatabase { db in
            try keepLog(db)
            // A crash loses no committed data; a power failure loses at most the writes after the last act.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // A refresh writes much data: a checkpoint every 4 MB (SQLite's default) would wait for the disk each
            // time.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try db.execute(sql: "PRAGMA cache_size = -8000")
        }
        return configuration
    }

    /// Returns the configuration that a library in memory needs as well.
    static func memoryConfiguration(_ now: @escaping @Sendable () -> UTCTime) -> Configuration {
        var configuration = Configuration()
        configuration.busyTimeout = Library.lockTimeout
        configuration.prepareDatabase { db in
            try db.define("wall_clock") { now().secondsSince1970 }
            try TokenPlaces.register(db)
        }
        return configuration
    }

    /// Enables the log. It retries, because SQLite does not wait for another process that enables the log of a new
    /// library.
    private static func keepLog(_ db: Database) throws {
        let end = ContinuousClock.now + .seconds(Library.lockTimeout)
        while true {
            do {
                return try db.execute(sql: "PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                usleep(10_000)
            }
        }
    }
}
