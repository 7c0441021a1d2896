// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// A position in an episode that the listener saved.
public struct Bookmark: Sendable, Equatable, Identifiable {
    public let id: Int64
    public let episode: Int64
    public let position: Duration
    /// The packet from which an estimated position counts; `nil` for an exact position.
    public let anchor: TimeAnchor?
    public let version: String?
    /// True if the position belongs to another version of the audio than the one that was downloaded or played last.
    public let isOfOtherVersion: Bool
    public let title: String?
    public let madeAt: UTCTime

    /// True if the position is that of the bookmarked sound.
    public var isExact: Bool { anchor == nil && !isOfOtherVersion }
}

extension Library {
    /// Adds a bookmark.
    /// - Parameter anchor: the packet from which an estimated position counts; `nil` for an exact one.
    /// - Returns: the number of the bookmark.
    @discardableResult
    public func addBookmark(
        _ episode: Int64, at position: Duration, from anchor: TimeAnchor? = nil, version: String? = nil,
        title: String? = nil
    ) throws(LibraryError) -> Int64 {
        try act(.bookmark, subject(of: [episode])) { db in
            try db.execute(
                sql: """
                    INSERT INTO bookmark (episode, position, anchor, version, title, made_at) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [episode, position.microseconds, anchor?.text, version, title, now().secondsSince1970])
            return db.lastInsertedRowID
        }
    }

    /// Returns bookmarks.
    /// - Parameter episode: the episode whose bookmarks are returned, by position; `nil` returns all bookmarks, the
    ///   latest first.
    public func bookmarks(of episode: Int64? = nil) throws(LibraryError) -> [Bookmark] {
        try read { db in
            let order = episode == nil ? "made_at DESC, id DESC" : "position, id"
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT *, coalesce(version <> coalesce(
                        (SELECT total || ' bytes' FROM download
                            WHERE download.episode = bookmark.episode AND state = 'complete' AND removed_at IS NULL),
                        (SELECT version FROM playback WHERE playback.episode = bookmark.episode)), 0) AS other
                    FROM bookmark WHERE :episode IS NULL OR episode = :episode ORDER BY \(order)
                    """, arguments: ["episode": episode]
            ).map { row in
                Bookmark(
                    id: try row["id"], episode: try row["episode"],
                    position: .microseconds(try row["position"] as Int64), anchor: TimeAnchor(text: try row["anchor"]),
                    version: try row["version"], isOfOtherVersion: try row["other"], title: try row["title"],
                    madeAt: UTCTime(secondsSince1970: try row["made_at"]))
            }
        }
    }

    /// Makes the estimated bookmarks of an episode exact that count from a packet.
    /// - Parameter correction: the difference between the exact and the estimated times.
    public func correctBookmarks(
        of episode: Int64, from anchor: TimeAnchor, by correction: Duration
    ) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE bookmark SET position = max(0, position + ?), anchor = NULL WHERE episode = ? AND anchor = ?
                    """,
                arguments: [correction.microseconds, episode, anchor.text])
        }
    }

    /// Moves the bookmarks of an episode to another version of its audio. Those of a third version stay, and so do
    /// those whose places in the other version are unknown.
    /// - Parameters:
    ///   - version: the version of the bookmarks to move.
    ///   - new: the other version; `nil` if it is unknown.
    ///   - moved: returns a position of the first version in the other one, and the packet from which it counts if it
    ///     is an estimate; `nil` if its place there is unknown.
    public func moveBookmarks(
        of episode: Int64, from version: String, to new: String?,
        _ moved: (Duration, TimeAnchor?) -> (position: Duration, anchor: TimeAnchor?)?
    ) throws(LibraryError) {
        try write { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, position, anchor FROM bookmark WHERE episode = ? AND version = ?",
                arguments: [episode, version])
            for row in rows {
                let position = Duration.microseconds(try row[1] as Int64)
                guard let place = moved(position, TimeAnchor(text: try row[2])) else { continue }
                try db.execute(
                    sql: "UPDATE bookmark SET position = ?, anchor = ?, version = ? WHERE id = ?",
                    arguments: [max(.zero, place.position).microseconds, place.anchor?.text, new, try row[0] as Int64])
            }
        }
    }

    /// Removes a bookmark.
    /// - Throws: `missing` if it does not exist.
    public func removeBookmark(_ id: Int64) throws(LibraryError) {
        let episode = try read { db in
            try Int64.fetchOne(db, sql: "SELECT episode FROM bookmark WHERE id = ?", arguments: [id])
        }
        guard let episode else { throw LibraryError(.missing, "there is no bookmark \(id)") }
        try act(.removeBookmark, subject(of: [episode])) { db in
            try db.execute(sql: "DELETE FROM bookmark WHERE id = ?", arguments: [id])
            // Another process may have removed it meanwhile.
            guard db.changesCount == 1 else { throw LibraryError(.missing, "there is no bookmark \(id)") }
        }
    }
}
