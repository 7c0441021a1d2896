// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// An issue of an episode, as its feed gives it: a feed may publish new audio under an existing entry.
public struct EpisodeIssue: Sendable, Equatable {
    public let url: String
    public let published: UTCTime?
    /// The length in bytes.
    public let length: Int64?

    public init(url: String, published: UTCTime?, length: Int64?) {
        self.url = url
        self.published = published
        self.length = length
    }
}

extension EpisodeIssue {
    /// The result of comparing two issues.
    public enum Comparison: Sendable, Equatable {
        case same
        /// The properties differ; only the server can tell if the audio is another one.
        case unclear
        /// The feed has other audio of a later date.
        case later
    }

    /// The smallest difference between two issues, in seconds; less is a corrected date or another time zone.
    static let secondsBetween: Int64 = 3600

    /// Compares the feed's current issue with the fetched one.
    /// - Parameter fetched: the issue for which the file was fetched.
    public func compared(with fetched: EpisodeIssue) -> Comparison {
        let isSameAddress = EnclosureIdentity.text(url) == EnclosureIdentity.text(fetched.url)
        if isSameAddress, published == fetched.published, length == fetched.length { return .same }
        let isLater = Self.isLater(published, than: fetched.published, by: Self.secondsBetween)
        return !isSameAddress && isLater ? .later : .unclear
    }

    /// True if a date is at least `seconds` after another one.
    static func isLater(_ date: UTCTime?, than other: UTCTime?, by seconds: Int64) -> Bool {
        guard let date, let other else { return false }
        return date.secondsSince1970.subtractingReportingOverflow(other.secondsSince1970).partialValue >= seconds
    }
}

/// The name and folder of an episode's file, and the issue for which it was fetched.
public struct KeptIssue: Sendable, Equatable {
    /// The text from which the file name is derived.
    public let name: String
    /// The folder of the file; `nil` is the standard folder or an unrecorded one.
    public let folder: String?
    /// The fetched issue; `nil` if the file was not fetched for this episode.
    public let fetched: EpisodeIssue?
    /// True if other episodes have the same address and this is the latest of them: the server has the audio of only
    /// one.
    public let isLatestOfAddress: Bool
}

extension Library {
    /// Returns the properties of an episode's file. Its name is that of the episode's download if there is one; else
    /// it is the address, with the episode's number if another episode has the same address.
    /// - Returns: `nil` for an episode without audio that was never requested.
    public func keptIssue(of episode: Int64) throws(LibraryError) -> KeptIssue? {
        try read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT coalesce(kept_as, \(Self.keptName)) AS name, folder, fetched_url, fetched_published,
                            fetched_length, \(Self.isLatestOfAddress) AS latest
                        FROM episode LEFT JOIN download ON download.episode = episode.id WHERE episode.id = ?
                        """), arguments: [episode])
            guard let row, let name: String = try row["name"] else { return nil }
            let url: String? = try row["fetched_url"]
            let (published, length): (Int64?, Int64?) = (try row["fetched_published"], try row["fetched_length"])
            return KeptIssue(
                name: name, folder: try row["folder"],
                fetched: url.map { EpisodeIssue(url: $0, published: UTCTime(published), length: length) },
                isLatestOfAddress: try row["latest"])
        }
    }

    /// True if an episode has the file with this name.
    public func hasFile(named name: String) throws(LibraryError) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM download WHERE kept_as = ?)", arguments: [name]) ?? false
        }
    }

    /// Calls `body` with every name that the file of an episode in the library may have.
    public func forEachEnclosure(_ body: (String) -> Void) throws(LibraryError) {
        try read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT id, enclosure_url FROM episode WHERE enclosure_url IS NOT NULL")
            while let row = try rows.next() {
                let (id, url): (Int64, String) = (try row["id"], try row["enclosure_url"])
                body(url)
                body(url + "#episode-\(id)")
            }
        }
    }

    /// Calls `body` with each episode of a subscribed podcast that has audio and no download, and the name of its file.
    public func forEachWithoutDownload(_ body: (_ episode: Int64, _ name: String) -> Void) throws(LibraryError) {
        try read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT episode.id, \(Self.keptName) FROM episode JOIN podcast ON podcast.id = episode.podcast
                    WHERE enclosure_url IS NOT NULL AND unsubscribed_at IS NULL
                        AND NOT EXISTS (SELECT 1 FROM download WHERE download.episode = episode.id)
                    """)
            while let row = try rows.next() { body(try row[0], try row[1]) }
        }
    }

    /// The name of a new file: the address, unless several episodes have it and would share the file.
    static let keptName = """
        (enclosure_url || CASE WHEN EXISTS (
            SELECT 1 FROM episode AS other WHERE other.enclosure_url = episode.enclosure_url AND other.id != episode.id
        ) OR EXISTS (
            SELECT 1 FROM download AS other WHERE other.kept_as = episode.enclosure_url AND other.episode != episode.id
        ) THEN '#episode-' || episode.id ELSE '' END)
        """

    private static let isLatestOfAddress = """
        (EXISTS (
            SELECT 1 FROM episode AS other WHERE other.enclosure_url = episode.enclosure_url AND other.id != episode.id
        ) AND NOT EXISTS (
            SELECT 1 FROM episode AS other WHERE other.enclosure_url = episode.enclosure_url
            AND (other.sorted_at, other.id) > (episode.sorted_at, episode.id)
        ))
        """

    /// Records that the episode's file is the issue that its feed has now.
    public func noteFetched(_ episode: Int64) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE download SET fetched_url = enclosure_url, fetched_published = published,
                        fetched_length = enclosure_length
                    FROM episode WHERE id = episode AND episode = ? AND enclosure_url IS NOT NULL
                    """, arguments: [episode])
        }
    }

    /// Records the folder of the episode's file.
    /// - Parameter folder: the folder; `nil` is the standard one.
    public func noteFolder(_ episode: Int64, _ folder: String?) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: "UPDATE download SET folder = :folder WHERE episode = :episode AND folder IS NOT :folder",
                arguments: ["episode": episode, "folder": folder])
        }
    }

    /// Deletes the record of a download that was only started by playback and is not complete.
    public func forgetPlayed(_ episode: Int64) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: """
                    DELETE FROM download
                    WHERE episode = ? AND wanted_by = 'playing' AND state != 'complete' AND removed_at IS NULL
                    """, arguments: [episode])
        }
    }
}
