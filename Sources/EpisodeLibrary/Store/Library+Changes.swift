// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The notice of changes.
extension Library {
    /// A number that differs after another connection has changed the library. Source: SQLite, PRAGMA data_version.
    public func foreignVersion() throws(LibraryError) -> Int64 {
        try read { db in try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
    }

    /// The number of rows that this connection has changed so far.
    public func changeCount() throws(LibraryError) -> Int {
        try read { db in db.totalChangesCount }
    }
}
