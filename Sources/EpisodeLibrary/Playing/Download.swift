// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// The record of an episode's download. The file and its manifest are authoritative; this record serves display and
/// decisions.
public struct Download: Sendable, Equatable {
    /// The state of a download.
    public enum State: String, Sendable {
        /// The download was requested; no byte is stored.
        case wanted
        case partial
        case complete
        case failed
    }

    /// The reason for a download.
    public enum Reason: String, Sendable {
        case listener
        /// The episode was played, or its audio was read by `clip`, `loop` or `render`; the received bytes are kept.
        case playing
        case rule
    }

    public let episode: Int64
    /// The text from which the file name is derived: the address at the first request, with the episode's number if
    /// several episodes have that address.
    public let keptAs: String
    /// The folder of the file; `nil` is the standard folder or an unrecorded one.
    public let folder: String?
    /// The address from which the file was last fetched.
    public let fetchedURL: String?
    public var requestedBy: Reason
    public var requestedAt: UTCTime
    public var state: State
    public var total: Int64?
    /// The stored byte ranges.
    public var extents: [Range<Int64>]
    public var failure: String?
    /// The time of completion or failure.
    public var finishedAt: UTCTime?
    /// The time at which the download was moved to the trash.
    public var removedAt: UTCTime?

    /// True if the trash has stored bytes of the download. A removed download whose files were deleted has none.
    public var isInTrash: Bool { removedAt != nil && storedBytes > 0 }

    public var storedBytes: Int64 { extents.reduce(0) { $0 + Int64($1.count) } }
}

extension Download {
    init(row: Row) throws {
        episode = try row["episode"]
        keptAs = try row["kept_as"]
        folder = try row["folder"]
        fetchedURL = try row["fetched_url"]
        requestedBy = Reason(rawValue: try row["wanted_by"]) ?? .listener
        requestedAt = UTCTime(secondsSince1970: try row["wanted_at"])
        state = State(rawValue: try row["state"]) ?? .wanted
        total = try row["total"]
        extents = Self.extents(try row["extents"])
        failure = try row["failure"]
        finishedAt = UTCTime(try row["finished_at"])
        removedAt = UTCTime(try row["removed_at"])
    }

    /// Returns half-open ranges as text: `0-4096,8192-9000`.
    static func text(_ extents: [Range<Int64>]) -> String {
        extents.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    static func extents(_ text: String) -> [Range<Int64>] {
        text.split(separator: ",").compactMap { part in
            let bounds = part.split(separator: "-").compactMap { Int64($0) }
            guard bounds.count == 2, bounds[0] >= 0, bounds[0] < bounds[1] else { return nil }
            return bounds[0]..<bounds[1]
        }
    }
}

extension Library {
    /// Requests the download of an episode that has audio; a download in the trash is restored.
    public func requestDownload(_ episode: Int64, by reason: Download.Reason) throws(LibraryError) {
        if reason == .listener {
            try act(.download, subject(of: [episode])) { db in try requestDownload(episode, by: reason, db) }
        } else {
            try write { db in try requestDownload(episode, by: reason, db) }
        }
    }

    func requestDownload(_ episode: Int64, by reason: Download.Reason, _ db: Database) throws {
        // A stored file is audio even if the feed no longer lists any.
        try db.execute(
            sql: """
                UPDATE download SET removed_at = NULL,
                    wanted_by = iif(removed_at IS NOT NULL OR :reason = 'listener', :reason, wanted_by)
                WHERE episode = :episode
                """, arguments: ["episode": episode, "reason": reason.rawValue])
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO download (episode, kept_as, wanted_by, wanted_at, state)
                SELECT id, \(Self.keptName), :reason, :now, 'wanted' FROM episode
                WHERE id = :episode AND enclosure_url IS NOT NULL
                """,
            arguments: ["episode": episode, "reason": reason.rawValue, "now": now().secondsSince1970])
    }

    /// Records the state of a requested download; does nothing for other episodes.
    /// - Parameter patience: the number of seconds to wait for another process; `nil` is the library's timeout.
    public func noteDownload(
        _ episode: Int64, _ state: Download.State, total: Int64?, extents: [Range<Int64>], failure: String? = nil,
        waiting patience: Double? = nil
    ) throws(LibraryError) {
        try write(waiting: patience) { db in
            try noteDownload(episode, state, total: total, extents: extents, failure: failure, db)
        }
    }

    /// Records the state found on disk. If the library cannot be written, the change goes to the copy in memory: the
    /// next survey finds the state again.
    public func noteFound(
        _ episode: Int64, _ state: Download.State, total: Int64?, extents: [Range<Int64>], failure: String? = nil
    ) throws(LibraryError) {
        try maintain { db in
            try noteDownload(episode, state, total: total, extents: extents, failure: failure, db)
        }
    }

    private func noteDownload(
        _ episode: Int64, _ state: Download.State, total: Int64?, extents: [Range<Int64>], failure: String?,
        _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE download SET state = :state, total = :total, extents = :extents, failure = :failure,
                    finished_at = CASE :state
                        WHEN 'complete' THEN iif(state = 'complete', coalesce(finished_at, :now), :now)
                        WHEN 'failed' THEN :now END
                WHERE episode = :episode
                """
        ).execute(arguments: [
            "episode": episode, "state": state.rawValue, "total": total, "extents": Download.text(extents),
            "failure": failure, "now": now().secondsSince1970,
        ])
    }

    /// A complete file of an episode that has no download.
    public struct FoundFile: Sendable {
        public let episode: Int64
        let name: String
        let length: Int64
        let folder: String?

        /// - Parameters:
        ///   - name: the text from which its name is derived.
        ///   - length: the length in bytes.
        ///   - folder: the folder; `nil` is the standard one.
        public init(of episode: Int64, named name: String, length: Int64, in folder: String?) {
            (self.episode, self.name, self.length, self.folder) = (episode, name, length, folder)
        }
    }

    /// Records files in one transaction. They count as requested by the listener, so that no rule removes them.
    public func record(_ files: [FoundFile]) throws(LibraryError) {
        try maintain { db in
            for file in files {
                try db.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO download (
                            episode, kept_as, folder, wanted_by, wanted_at, state, total, extents, finished_at)
                        VALUES (:episode, :name, :folder, :reason, :now, 'complete', :length, :extents, :now)
                        """
                ).execute(arguments: [
                    "episode": file.episode, "name": file.name, "folder": file.folder,
                    "reason": Download.Reason.listener.rawValue, "now": now().secondsSince1970, "length": file.length,
                    "extents": Download.text([0..<max(1, file.length)]),
                ])
            }
        }
    }

    /// Returns the downloads outside the trash, the oldest request first.
    public func downloads() throws(LibraryError) -> [Download] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM download WHERE removed_at IS NULL ORDER BY wanted_at, episode")
                .map(Download.init(row:))
        }
    }

    /// Returns the download of an episode, even if it is in the trash.
    public func download(of episode: Int64) throws(LibraryError) -> Download? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM download WHERE episode = ?", arguments: [episode])
                .map(Download.init(row:))
        }
    }

    /// Moves downloads to the trash. The caller must then move the files on disk.
    /// - Parameter byRule: true if a rule demands it. After `undo`, the downloads count as requested by the listener:
    ///   the rule does not remove them again.
    public func removeDownloads(_ episodes: [Int64], byRule: Bool = false) throws(LibraryError) {
        try act(.remove, try subject(of: episodes) + (byRule ? " (by a rule)" : "")) { db in
            let time = try Self.stamp(db)
            let reason = Download.Reason.listener.rawValue
            for episode in episodes {
                let isKept = "WHERE episode = \(episode) AND removed_at IS NULL"
                // Before the removal, because the first statement runs last.
                if byRule { try UndoRecorder.add("UPDATE download SET wanted_by = '\(reason)' \(isKept)", db) }
                try db.execute(sql: "UPDATE download SET removed_at = ? \(isKept)", arguments: [time])
            }
        }
    }

    /// Returns the downloads in the trash, the oldest first.
    public func removedDownloads() throws(LibraryError) -> [Download] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM download WHERE removed_at IS NOT NULL ORDER BY removed_at")
                .map(Download.init(row:))
        }
    }

    /// Returns the downloads whose rows an act has deleted that can still be undone, as a merge of two downloaded
    /// episodes does. They count as removed at the time of the act.
    public func undoableDownloads() throws(LibraryError) -> [Download] {
        try read { db in
            try UndoRecorder.deletedRows(of: "download", db) { row, time in
                var download = try Download(row: row)
                download.removedAt = download.removedAt ?? UTCTime(secondsSince1970: time)
                return download
            }
        }
    }

    /// Resets a removed download whose files were deleted permanently. The removal stays recorded, so that no rule
    /// requests the download again, and its length stays as the sign that there was a file.
    public func forgetDownload(_ episode: Int64) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE download SET state = 'wanted', extents = '', failure = NULL, finished_at = NULL
                    WHERE episode = ? AND removed_at IS NOT NULL
                    """, arguments: [episode])
        }
    }

    /// Returns the downloads of podcasts that `emptyTrash` deletes; their files must be deleted first.
    public func downloadsToForget(olderThan age: Duration = Library.trashAge) throws(LibraryError) -> [Download] {
        let oldest = try latest(before: age)
        return try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT download.* FROM download JOIN episode ON episode.id = download.episode
                    JOIN podcast ON podcast.id = episode.podcast WHERE unsubscribed_at < ?
                    """, arguments: [oldest]
            ).map(Download.init(row:))
        }
    }
}
