// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

extension Library {
    /// The condition of the library.
    public struct Health: Sendable, Equatable {
        public let podcasts: Int
        public let episodes: Int
        /// The damage that SQLite reports; usually none.
        public let damage: [String]
    }

    /// Checks the whole file, which takes seconds for a large library.
    public func health() throws(LibraryError) -> Health {
        try read { db in
            let words = try String.fetchAll(db, sql: "PRAGMA integrity_check(5)")
            return Health(
                podcasts: try Int.fetchOne(db, sql: "SELECT count(*) FROM podcast WHERE unsubscribed_at IS NULL") ?? 0,
                episodes: try Int.fetchOne(db, sql: "SELECT count(*) FROM episode") ?? 0,
                damage: words == ["ok"] ? [] : words)
        }
    }
}
