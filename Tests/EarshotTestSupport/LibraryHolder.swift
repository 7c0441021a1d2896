// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// Another program that has begun to write to a library, and takes its time.
public final class LibraryHolder: Sendable {
    private let database: DatabaseQueue

    public init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    public func release() throws {
        try database.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    }
}
