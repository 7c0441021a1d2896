// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
import Glibc
public import Podcasts

/// What a listener has: subscriptions, episodes, positions, the queue. One SQLite file; any number of processes may
/// have it open at once.
///
/// A library that cannot be written, for the disk is full or the folder read-only, is read from a copy in memory; each
/// write looks whether it can be written by now.
///
/// Every call waits for the disk, and for another process that is writing: never call it on the cooperative pool's or
/// the sound's thread.
public final class Library: Sendable {
    /// How many seconds one process waits for another. The longest transaction is the merge of a feed of ten thousand
    /// new episodes: about a second.
    static let patience = 20.0
    /// How long something waits that can be done without.
    static let shortPatience = 1.0

    public let path: String
    let now: @Sendable () -> UTCTime
    private let access: LibraryAccess

    /// Opens the library, and makes it where there is none.
    /// - Parameters:
    ///   - path: of the file; the folder exists.
    ///   - now: the wall clock.
    /// - Throws: `notWritable`, `damaged`, `newer`, `busy`, `full`, `inputOutput`.
    public init(path: String, now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        self.path = path
        self.now = now
        access = try LibraryAccess(path, now: now)
        try takeNotesAside()
    }

    /// An empty library in memory, for a machine that has none yet.
    public init(inMemory now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        self.path = "in memory"
        self.now = now
        access = try LibraryAccess(inMemory: path, now: now)
    }

    public var currentTime: UTCTime { now() }

    /// Why the library cannot be written; `nil` where nothing is known against it.
    public var obstacle: LibraryError? { access.obstacle }

    var database: DatabaseQueue { access.database }

    /// Waits for what is under way, and closes the file.
    public func close() throws(LibraryError) {
        do { try database.close() } catch { throw LibraryError(error, at: path) }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let database = try access.reading()
        do throws(LibraryError) {
            return try mapping { try database.read(body) }
        } catch where error.kind == .full || error.kind == .notWritable {
            // Even a reader makes the file grow that processes share about the log.
            let copy = try access.copying(because: error)
            return try mapping { try copy.read(body) }
        }
    }

    /// Runs one transaction. It survives a crash of the process at once, a loss of power with the next durable one.
    /// - Parameter patience: how many seconds it waits for another process.
    func write<Value>(
        waiting patience: Double = patience, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        try writing { db in try Self.waiting(patience, db) { try Self.transaction(db, body) } }
    }

    /// A connection that was made while the library could not be written never writes: then it is made again.
    private func writing<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let database = try access.writing()
        do throws(LibraryError) {
            return try mapping { try database.writeWithoutTransaction(body) }
        } catch where error.kind == .notWritable {
            let database = try access.reopening(database)
            return try mapping { try database.writeWithoutTransaction(body) }
        }
    }

    /// Changes what follows from the rest of the library or from the disk, such as the search index: in a copy of the
    /// library while it cannot be written.
    func maintain<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do throws(LibraryError) {
            // A copy keeps what was made in it until now.
            if let copy = access.currentCopy { return try write(in: copy, body) }
            return try write(waiting: Self.shortPatience, body)
        } catch where error.isObstacle || error.kind == .busy {
            return try writeInCopy(because: error, body)
        }
    }

    func writeInCopy<Value>(
        because obstacle: LibraryError, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        try write(in: access.copying(because: obstacle), body)
    }

    private func write<Value>(
        in copy: DatabaseQueue, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        try mapping { try copy.writeWithoutTransaction { db in try Self.transaction(db, body) } }
    }

    /// Runs one transaction that survives a loss of power, with everything that was written before it.
    func writeDurably<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        try writing { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            let result = Result { try Self.transaction(db, body) }
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            return try result.get()
        }
    }

    /// Lets the first write that follows be as quick as all others: a log that is begun anew is synced, and so is the
    /// folder that holds it.
    public func beginLog() throws(LibraryError) {
        try write(waiting: Self.shortPatience) { db in
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

    private func mapping<Value>(_ body: () throws -> Value) throws(LibraryError) -> Value {
        do { return try body() } catch { throw LibraryError(error, at: path) }
    }

    private static func waiting<Value>(_ patience: Double, _ db: Database, _ body: () throws -> Value) throws -> Value {
        guard patience != Self.patience else { return try body() }
        try db.execute(sql: "PRAGMA busy_timeout = \(Int(patience * 1000))")
        let result = Result { try body() }
        try db.execute(sql: "PRAGMA busy_timeout = \(Int(Self.patience * 1000))")
        return try result.get()
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
