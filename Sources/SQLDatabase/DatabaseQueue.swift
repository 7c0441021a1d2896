// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The properties of a connection.
public struct Configuration: Sendable {
    public var readonly = false
    public var foreignKeysEnabled = true
    /// The number of seconds to wait for another connection.
    public var busyTimeout = 0.0
    var preparations: [@Sendable (Database) throws -> Void] = []

    public init() {}

    /// Adds a block that prepares a new connection.
    public mutating func prepareDatabase(_ block: @escaping @Sendable (Database) throws -> Void) {
        preparations.append(block)
    }
}

/// One connection, which threads use in turn. A call blocks until the connection is free; calls cannot be nested.
public final class DatabaseQueue: Sendable {
    public let path: String
    private let lock = Mutex<Void>(())
    /// Only used while `lock` is held; `nil` after `close`.
    nonisolated(unsafe) private var database: Database?

    /// Opens a file, and creates it if it does not exist.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        self.path = path
        database = try Database(path: path, configuration)
    }

    /// Creates a database in memory.
    public init(configuration: Configuration = Configuration()) throws {
        path = ":memory:"
        database = try Database(path: path, configuration)
    }

    /// Waits for the current use and closes the connection. Later calls fail.
    public func close() throws { lock.withLock { _ in database = nil } }

    /// Reads one state of the database. A change is undone and reported as an error: `PRAGMA query_only` would make
    /// SQLite compile all statements of the connection again.
    public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction { db in
            let changes = db.totalChangesCount
            return try db.inTransaction(.deferred) {
                let value = try body(db)
                guard db.totalChangesCount == changes else { throw Self.changed }
                return value
            }
        }
    }

    /// Runs one transaction.
    public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        // A transaction that begins with a read could not wait for another connection's write.
        try writeWithoutTransaction { db in try db.inTransaction(.immediate) { try body(db) } }
    }

    public func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        lock.withLock { _ in result = Result { try body(open) } }
        guard let result else { throw Self.closed }
        return try result.get()
    }

    private var open: Database {
        get throws {
            guard let database else { throw Self.closed }
            return database
        }
    }

    private static let changed = DatabaseError(resultCode: .SQLITE_MISUSE, message: "a read changed the database")
    private static let closed = DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
}
