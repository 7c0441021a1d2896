// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media
import SQLDatabase

/// The listener's data: subscriptions, episodes, positions, the queue. The library is one SQLite file, which any
/// number of processes may have open at the same time.
///
/// A library that cannot be written, because the disk is full or the folder is read-only, is read from a copy in
/// memory; each write checks if the library can be written again.
///
/// Every call blocks on disk access and on other processes that write: never call it on the cooperative pool or on
/// the audio thread.
public final class Library: Sendable {
    /// The number of seconds for which one process waits for another. The longest transaction, the merge of a feed
    /// with ten thousand new episodes, takes about a second.
    static let lockTimeout = 20.0
    /// The number of seconds for which optional work waits for another process.
    static let shortPatience = 1.0

    public let path: String
    let now: @Sendable () -> UTCTime
    /// A folder, best in memory, for positions that a full or read-only disk cannot store.
    let runtimeFolder: String?
    private let access: LibraryAccess
    /// The number of seconds for which a write waits for another process.
    let lockTimeout: Double

    /// Opens the library, and creates it if it does not exist.
    /// - Parameters:
    ///   - path: the path of the file; its folder must exist.
    ///   - runtimeFolder: a folder, best in memory, for positions while the disk is full or read-only; it need not
    ///     exist.
    ///   - now: the wall clock.
    /// - Throws: `notWritable`, `damaged`, `newer`, `busy`, `full`, `inputOutput`.
    public init(
        path: String, runtimeFolder: String? = nil, now: @escaping @Sendable () -> UTCTime
    ) throws(LibraryError) {
        self.path = path
        self.runtimeFolder = runtimeFolder
        self.now = now
        lockTimeout = Self.lockTimeout
        access = try LibraryAccess(path, now: now)
        try importFallbackPositions()
    }

    /// Creates an empty library in memory, for a machine without a library.
    public init(inMemory now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        self.path = "in memory"
        self.now = now
        runtimeFolder = nil
        lockTimeout = Self.lockTimeout
        access = try LibraryAccess(inMemory: path, now: now)
    }

    private init(_ other: Library, lockTimeout: Double) {
        (path, now, access, self.lockTimeout) = (other.path, other.now, other.access, lockTimeout)
        runtimeFolder = other.runtimeFolder
    }

    /// This library for writes during playback, which wait only 0.25 s for another process and then throw `busy`. A
    /// write that waits delays all others, because they share one connection.
    public var whilePlaying: Library { Library(self, lockTimeout: 0.25) }

    public var currentTime: UTCTime { now() }

    /// The reason why the library cannot be written; `nil` if none is known.
    public var writeError: LibraryError? { access.writeError }

    var database: DatabaseQueue { access.database }

    /// Waits for running operations and closes the file.
    public func close() throws(LibraryError) {
        do { try database.close() } catch { throw LibraryError(error, at: path) }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let database = try access.reading()
        do throws(LibraryError) {
            return try mapping { try database.read(body) }
        } catch where error.kind == .full || error.kind == .notWritable {
            // Even a reader makes the shared-memory file of the log grow.
            let copy = try access.copying(because: error)
            return try mapping { try copy.read(body) }
        }
    }

    /// Runs one transaction. It survives a crash of the process immediately, and a power failure after the next
    /// durable transaction.
    /// - Parameter patience: the number of seconds to wait for another process; `nil` is the library's timeout.
    func write<Value>(
        waiting patience: Double? = nil, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        try writing { db in try Self.waiting(patience ?? lockTimeout, db) { try Self.transaction(db, body) } }
    }

    /// Writes to the library. A connection opened while the library could not be written never writes, so it is
    /// reopened.
    private func writing<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let database = try access.writing()
        do throws(LibraryError) {
            return try writing(to: database, body)
        } catch where error.kind == .notWritable {
            return try writing(to: access.reopening(database), body)
        }
    }

    /// Writes to the library, and refuses if another program has moved, replaced or deleted its file. The data would
    /// go to a file that nobody opens again. A new library may number its episodes differently.
    private func writing<Value>(
        to database: DatabaseQueue, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        try mapping {
            try database.writeWithoutTransaction { db in
                guard !db.fileHasMoved else {
                    throw LibraryError(
                        .inputOutput,
                        "the library \(path) was moved, replaced or deleted by another program: start earshot again")
                }
                return try body(db)
            }
        }
    }

    /// Changes data that is derived from the library or the disk, such as the search index. While the library cannot
    /// be written, the change goes to a copy in memory.
    func maintain<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do throws(LibraryError) {
            // An existing copy is reused, because it contains the changes made so far.
            if let copy = access.currentCopy { return try write(in: copy, body) }
            return try write(waiting: min(lockTimeout, Self.shortPatience), body)
        } catch where error.preventsWriting || error.kind == .busy {
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

    /// Runs one transaction that survives a power failure, with everything written before it.
    func writeDurably<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        try writing { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            let result = Result { try Self.waiting(lockTimeout, db) { try Self.transaction(db, body) } }
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            return try result.get()
        }
    }

    /// Begins the log, so that the first write is as fast as the later ones: beginning a log syncs it and its folder.
    public func beginLog() throws(LibraryError) {
        try write(waiting: Self.shortPatience) { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// Makes everything written so far survive a power failure while other writes continue: a transaction that waits
    /// for the disk would block all others. In NORMAL mode SQLite does not sync the log after a transaction; a later
    /// sync leaves it as FULL would have.
    /// - Throws: `inputOutput` if a write failed; `notWritable` if the log could not be opened, which a later sync
    ///   repairs.
    public func makeDurable() throws(LibraryError) {
        let log = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        guard log >= 0 else {
            let code = errno
            // Without a log, everything is in the library file and synced.
            if code == ENOENT { return }
            throw LibraryError(.notWritable, "the library \(path) cannot be synced: \(SystemError.phrase(of: code))")
        }
        defer { Glibc.close(log) }
        guard fdatasync(log) == 0 else {
            let code = errno
            throw LibraryError(.inputOutput, "the library \(path): \(SystemError.phrase(of: code))")
        }
    }

    private func mapping<Value>(_ body: () throws -> Value) throws(LibraryError) -> Value {
        do { return try body() } catch { throw LibraryError(error, at: path) }
    }

    private static func waiting<Value>(_ patience: Double, _ db: Database, _ body: () throws -> Value) throws -> Value {
        guard patience != Self.lockTimeout else { return try body() }
        try db.execute(sql: "PRAGMA busy_timeout = \(Int(patience * 1000))")
        let result = Result { try body() }
        try db.execute(sql: "PRAGMA busy_timeout = \(Int(Self.lockTimeout * 1000))")
        return try result.get()
    }

    private static func transaction<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        // Immediate: a transaction that begins with a read could not wait for another process's write.
        try db.inTransaction(.immediate) { try body(db) }
    }
}
