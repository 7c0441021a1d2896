// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// A second writer that holds the write lock of a library until `release`.
public final class LibraryHolder: Sendable {
    private let database: DatabaseQueue

    /// Opens the library at `path` and acquires its write lock.
    public init(_ path: String) throws {
        var configuration = Configuration()
        // The player may be writing its position.
        configuration.busyTimeout = 60
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    /// Releases the write lock.
    public func release() throws {
        try database.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    }
}
