// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
import GRDBSQLite
import Media

/// A copy in memory of a library that cannot be written. It is read like any library, and its changes are lost when
/// the process ends.
struct LibraryInMemory: Sendable {
    let database: DatabaseQueue
    /// The reason why the library itself cannot be written.
    let writeError: LibraryError
    private let path: String
    private let stamp: LibraryStamp

    init(of path: String, because obstacle: LibraryError, now: @escaping @Sendable () -> UTCTime) throws {
        let image = try LibraryImage(of: path)
        (self.path, stamp, self.writeError) = (path, image.stamp, obstacle)
        database = try DatabaseQueue(configuration: LibraryFile.memoryConfiguration(now))
        try database.inDatabase { db in try Self.load(image.bytes, into: db) }
        try Schema.migrateToLatest(database)
        try SearchIndex.replaceIfOutdated(database)
    }

    /// True if the library has not been written since the copy was made.
    var isCurrent: Bool { LibraryStamp(path) == stamp }

    private static func load(_ bytes: [UInt8], into db: Database) throws {
        guard !bytes.isEmpty else { return }
        // SQLite frees the buffer, even if it rejects the content.
        guard let buffer = sqlite3_malloc64(UInt64(bytes.count)) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
        bytes.withUnsafeBytes { raw in
            if let start = raw.baseAddress { buffer.copyMemory(from: start, byteCount: raw.count) }
        }
        let code = sqlite3_deserialize(
            db.sqliteConnection, "main", buffer.assumingMemoryBound(to: UInt8.self), Int64(bytes.count),
            Int64(bytes.count), UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        db.clearSchemaCache()
    }
}
