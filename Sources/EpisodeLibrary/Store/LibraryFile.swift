// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
import Glibc
import Podcasts

/// Opens the file of a library by SQLite.
enum LibraryFile {
    /// Opens it, makes it where there is none, and brings its tables up to date.
    static func open(_ path: String, _ now: @escaping @Sendable () -> UTCTime) throws -> DatabaseQueue {
        try PrivateFile.make(path)
        let database = try DatabaseQueue(path: path, configuration: configuration(now))
        try Schema.bringUpToDate(database)
        try SearchIndex.bringUpToDate(database)
        // SQLite reads a library that it cannot write only after the first look into its log.
        _ = try database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
        return database
    }

    private static func configuration(_ now: @escaping @Sendable () -> UTCTime) -> Configuration {
        var configuration = memoryConfiguration(now)
        configuration.prepareDatabase { db in
            try keepLog(db)
            // A kill loses nothing that was committed; a loss of power at most what came after the last act.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // A refresh writes a lot: moving it from the log to its place each 4 MB would wait for the disk each time.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try db.execute(sql: "PRAGMA cache_size = -8000")
        }
        return configuration
    }

    /// What a library in memory needs, too.
    static func memoryConfiguration(_ now: @escaping @Sendable () -> UTCTime) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Library.patience)
        configuration.label = "library"
        configuration.prepareDatabase { db in
            db.add(function: DatabaseFunction("wall_clock", argumentCount: 0) { _ in now().secondsSince1970 })
        }
        return configuration
    }

    /// By hand, for GRDB's own way writes to the file whenever it is opened. SQLite does not wait for another process
    /// that does the same to a library that is new.
    private static func keepLog(_ db: Database) throws {
        let end = ContinuousClock.now + .seconds(Library.patience)
        while true {
            do {
                return try db.execute(sql: "PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                usleep(10_000)
            }
        }
    }
}
