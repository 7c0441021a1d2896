// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
import Glibc
public import Podcasts

/// What a listener has: subscriptions, episodes, positions, the queue. One SQLite file; any number of processes may
/// have it open at once.
///
/// Every call waits for the disk, and for another process that is writing: never call it on the cooperative pool's or
/// the sound's thread.
public final class Library: Sendable {
    /// How long one process waits for another. The longest transaction is the merge of a feed of ten thousand new
    /// episodes: about a second.
    static let patience = 20.0

    public let path: String
    let database: DatabaseQueue
    let now: @Sendable () -> UTCTime

    /// Opens the library, and makes it where there is none.
    /// - Parameters:
    ///   - path: of the file; the folder exists.
    ///   - now: the wall clock.
    /// - Throws: `notWritable`, `damaged`, `newer`, `busy`, `full`, `inputOutput`.
    public init(path: String, now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        self.path = path
        self.now = now
        do {
            try PrivateFile.make(path)
            database = try DatabaseQueue(path: path, configuration: Self.configuration(now))
            try Schema.bringUpToDate(database)
            try SearchIndex.bringUpToDate(database)
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    /// An empty library in memory, for a machine that has none yet.
    public init(inMemory now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        self.path = "in memory"
        self.now = now
        do {
            database = try DatabaseQueue(configuration: Self.configuration(now))
            try Schema.bringUpToDate(database)
            try SearchIndex.bringUpToDate(database)
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    public var currentTime: UTCTime { now() }

    private static func configuration(_ now: @escaping @Sendable () -> UTCTime) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.label = "library"
        configuration.prepareDatabase { db in
            try keepLog(db)
            // A kill loses nothing that was committed; a loss of power at most what came after the last act.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // A refresh writes a lot: moving it from the log to its place each 4 MB would wait for the disk each time.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try db.execute(sql: "PRAGMA cache_size = -8000")
            db.add(function: DatabaseFunction("wall_clock", argumentCount: 0) { _ in now().secondsSince1970 })
        }
        return configuration
    }

    /// By hand, for GRDB's own way writes to the file whenever it is opened. SQLite does not wait for another process
    /// that does the same to a library that is new.
    private static func keepLog(_ db: Database) throws {
        let end = ContinuousClock.now + .seconds(patience)
        while true {
            do {
                return try db.execute(sql: "PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                usleep(10_000)
            }
        }
    }

    /// Waits for what is under way, and closes the file.
    public func close() throws(LibraryError) {
        do { try database.close() } catch { throw LibraryError(error, at: path) }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do { return try database.read(body) } catch { throw LibraryError(error, at: path) }
    }

    /// One transaction that outlives a kill at once, and a loss of power with the next durable one.
    func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do {
            return try database.writeWithoutTransaction { db in try Self.transaction(db, body) }
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    /// One transaction that outlives a loss of power, with everything that was written before it.
    func writeDurably<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do {
            return try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                let result = Result { try Self.transaction(db, body) }
                try db.execute(sql: "PRAGMA synchronous = NORMAL")
                return try result.get()
            }
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    /// Lets the first write that follows be as quick as all others: a log that is begun anew is synced, and so is the
    /// folder that holds it.
    public func beginLog() throws(LibraryError) {
        try write { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// Makes everything written so far outlive a loss of power, while others go on writing: a transaction that waits
    /// for the disk holds up every other one. In its NORMAL mode SQLite does not sync the log after a transaction;
    /// synced afterwards it is what FULL would have left.
    public func makeDurable() throws(LibraryError) {
        let log = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        // Where there is no log, all of it is in the library, synced.
        if log < 0 && errno == ENOENT { return }
        let isSynced = log >= 0 && fdatasync(log) == 0
        let code = errno
        if log >= 0 { Glibc.close(log) }
        guard isSynced else {
            throw LibraryError(.inputOutput, "the library \(path): \(String(cString: strerror(code)))")
        }
    }

    private static func transaction<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        var result: Value?
        // Immediate: one that began by reading could not wait for another process's write.
        try db.inTransaction(.immediate) {
            result = try body(db)
            return .commit
        }
        guard let result else { throw LibraryError(.inputOutput, "a transaction came to nothing") }
        return result
    }
}
