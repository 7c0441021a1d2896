// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
public import Podcasts

/// An episode whose audio is wanted on this machine. The file beside its manifest is the truth; this is what is shown
/// and decided by.
public struct Download: Sendable, Equatable {
    public enum State: String, Sendable {
        /// Asked for, nothing has come.
        case wanted
        case partial
        case complete
        case failed
    }

    public enum WantedBy: String, Sendable {
        case listener
        /// It was played, and what was played is kept.
        case playing
        case rule
    }

    public let episode: Int64
    /// The text that names its file: the address it had when it was first wanted, with its number where several
    /// episodes have that address.
    public let keptAs: String
    /// That its file is in; `nil` is the standard one, or that nobody wrote it down.
    public let folder: String?
    /// The address that its file was fetched from last.
    public let fetchedURL: String?
    public var wantedBy: WantedBy
    public var wantedAt: UTCTime
    public var state: State
    public var total: Int64?
    /// Byte offsets.
    public var extents: [Range<Int64>]
    public var failure: String?
    /// When it had come, or failed.
    public var finishedAt: UTCTime?
    /// It is in the trash since then.
    public var removedAt: UTCTime?

    public var heldBytes: Int64 { extents.reduce(0) { $0 + Int64($1.count) } }
}

extension Download {
    init(row: Row) throws {
        episode = try row["episode"]
        keptAs = try row["kept_as"]
        folder = try row["folder"]
        fetchedURL = try row["fetched_url"]
        wantedBy = WantedBy(rawValue: try row["wanted_by"]) ?? .listener
        wantedAt = UTCTime(secondsSince1970: try row["wanted_at"])
        state = State(rawValue: try row["state"]) ?? .wanted
        total = try row["total"]
        extents = Self.extents(try row["extents"])
        failure = try row["failure"]
        finishedAt = UTCTime(try row["finished_at"])
        removedAt = UTCTime(try row["removed_at"])
    }

    /// `[0-4096,8192-9000]`: half-open ranges.
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
    /// Says that the episode's audio is wanted here, if it has any; what is in the trash comes back.
    public func want(_ episode: Int64, by reason: Download.WantedBy) throws(LibraryError) {
        if reason == .listener {
            try act(.download, subject(of: [episode])) { db in try want(episode, by: reason, db) }
        } else {
            try write { db in try want(episode, by: reason, db) }
        }
    }

    func want(_ episode: Int64, by reason: Download.WantedBy, _ db: Database) throws {
        // A stored file is audio even when the feed names none any more.
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

    /// What became of it so far; nothing where it is not wanted.
    /// - Parameter patience: how many seconds it waits for another process; `nil` is as long as all others.
    public func noteDownload(
        _ episode: Int64, _ state: Download.State, total: Int64?, extents: [Range<Int64>], failure: String? = nil,
        waiting patience: Double? = nil
    ) throws(LibraryError) {
        try write(waiting: patience ?? Self.patience) { db in
            try noteDownload(episode, state, total: total, extents: extents, failure: failure, db)
        }
    }

    /// Notes what was found on disk. It is found again, so that a library that cannot be written need not have it.
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

    /// All that are wanted, the oldest wish first.
    public func downloads() throws(LibraryError) -> [Download] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM download WHERE removed_at IS NULL ORDER BY wanted_at, episode")
                .map(Download.init(row:))
        }
    }

    /// Also of one in the trash.
    public func download(of episode: Int64) throws(LibraryError) -> Download? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM download WHERE episode = ?", arguments: [episode])
                .map(Download.init(row:))
        }
    }

    /// Puts the files of these into the trash. The caller moves them: what is in the trash here belongs there on disk.
    public func removeDownloads(_ episodes: [Int64], byRule: Bool = false) throws(LibraryError) {
        try act(.remove, byRule ? "\(episodes.count) by the rules" : subject(of: episodes)) { db in
            for episode in episodes {
                try db.execute(
                    sql: "UPDATE download SET removed_at = ? WHERE episode = ? AND removed_at IS NULL",
                    arguments: [now().secondsSince1970, episode])
            }
        }
    }

    /// What is in the trash, the oldest first.
    public func removedDownloads() throws(LibraryError) -> [Download] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM download WHERE removed_at IS NOT NULL ORDER BY removed_at")
                .map(Download.init(row:))
        }
    }

    /// Its files are gone for good. That it was removed is remembered: no rule wants it again. Its length stays: there
    /// was something to lose.
    public func forgetDownload(_ episode: Int64) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE download SET state = 'wanted', extents = '', failure = NULL, finished_at = NULL
                    WHERE episode = ? AND removed_at IS NOT NULL
                    """, arguments: [episode])
        }
    }

    /// Downloads of podcasts that `emptyTrash` forgets: their files have to go first.
    public func downloadsToForget(olderThan age: Duration = Library.trashAge) throws(LibraryError) -> [Download] {
        let oldest = now().secondsSince1970 - age.components.seconds
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
