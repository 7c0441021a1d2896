// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

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
        try database.writeWithoutTransaction { db in try db.load(image.bytes) }
        try Schema.migrate(database)
        try SearchIndex.replaceIfOutdated(database)
    }

    /// True if the library has not been written since the copy was made.
    var isCurrent: Bool { LibraryStamp(path) == stamp }
}
