// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import SQLDatabase

/// A small backup of the data that cannot be fetched again: subscriptions, settings, and the episodes that the
/// listener used.
extension Library {
    private static let backupAge: Int64 = 3600

    /// Writes the backup if it is missing, more than an hour old, or lists other subscriptions.
    public func keepBackup() throws(LibraryError) {
        let files = LibraryFiles(library: path)
        let digest = try subscriptionDigest()
        guard let digest, isBackupDue(files, digest) else { return }
        _ = try files.locked(for: .replacingIfFree) { () throws(LibraryError) in
            for ending in ["", "-wal", "-journal"] { try files.remove(files.unfinished + ending) }
            try PrivateFile.make(files.unfinished)
            do {
                try database.writeWithoutTransaction { db in try Self.writeBackup(db, to: files.unfinished, digest) }
            } catch {
                try files.remove(files.unfinished)
                throw LibraryError(error, at: path)
            }
            try files.sync(files.unfinished)
            try files.move(files.unfinished, to: files.backup)
        }
    }

    /// - Returns: `nil` if the library has no podcast to back up.
    private func subscriptionDigest() throws(LibraryError) -> Int32? {
        try read { db in
            var digest = ContentDigest()
            let rows = try Row.fetchCursor(db, sql: "SELECT id, feed_url, own_title, unsubscribed_at FROM podcast")
            var isEmpty = true
            while let row = try rows.next() {
                isEmpty = false
                digest.add(try row[0] as Int64)
                digest.add(try row[1] as String)
                digest.add(try row[2] as String?)
                digest.add(try row[3] as Int64?)
            }
            return isEmpty ? nil : Int32(truncatingIfNeeded: digest.value)
        }
    }

    private func isBackupDue(_ files: LibraryFiles, _ digest: Int32) -> Bool {
        guard let time = files.time(files.backup) else { return true }
        let age = Int64(Glibc.time(nil)) - time
        return age < 0 || age >= Self.backupAge || Self.digest(ofBackup: files.backup) != digest
    }

    private static func digest(ofBackup path: String) -> Int32? {
        var configuration = Configuration()
        configuration.readonly = true
        let digest = Result {
            try DatabaseQueue(path: path, configuration: configuration).read { db in
                try Int32.fetchOne(db, sql: "PRAGMA user_version")
            }
        }
        // An unreadable backup is written again.
        return (try? digest.get()) ?? nil
    }

    private static func writeBackup(_ db: Database, to path: String, _ digest: Int32) throws {
        try db.execute(sql: "ATTACH DATABASE ? AS backup", arguments: [path])
        let result = Result {
            try db.inTransaction(.deferred) {
                for table in RowRecovery.tables { try copy(table, db) }
                try db.execute(sql: "PRAGMA backup.user_version = \(digest)")
            }
        }
        try db.execute(sql: "DETACH DATABASE backup")
        try result.get()
    }

    private static func copy(_ table: String, _ db: Database) throws {
        let rows =
            switch table {
            case "podcast", "former_address", "credential", "setting", "download", "listening_day", "smart_queue": ""
            case "episode": "WHERE \(isWorthKeeping)"
            default: "WHERE episode IN (SELECT id FROM backup.episode)"
            }
        // Content from the publisher can be fetched again.
        guard table != "episode_notes", table != "transcript", table != "chapter_document" else { return }
        try db.execute(sql: "CREATE TABLE backup.\(table) AS SELECT * FROM main.\(table) \(rows)")
    }

    private static let isWorthKeeping = """
        \(EpisodeSummary.isTouched) OR EXISTS (SELECT 1 FROM main.download WHERE download.episode = episode.id)
        """
}
