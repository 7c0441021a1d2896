// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
public import Podcasts

/// An issue of an episode, as its feed has it: a feed may give new audio to an entry that it had before.
public struct EpisodeIssue: Sendable, Equatable {
    public let url: String
    public let published: UTCTime?
    /// Bytes.
    public let length: Int64?

    public init(url: String, published: UTCTime?, length: Int64?) {
        self.url = url
        self.published = published
        self.length = length
    }
}

extension EpisodeIssue {
    public enum Comparison: Sendable, Equatable {
        case same
        /// The feed says something else of it; the server must say whether the audio is another one.
        case unclear
        /// Other audio of a later date.
        case later
    }

    /// Less is a date that was mended, or another time zone's way of writing it.
    private static let secondsBetween: Int64 = 3600

    /// - Parameter fetched: that the file was fetched for.
    public func compared(with fetched: EpisodeIssue) -> Comparison {
        let isSameAddress = EnclosureIdentity.text(url) == EnclosureIdentity.text(fetched.url)
        if isSameAddress, published == fetched.published, length == fetched.length { return .same }
        return !isSameAddress && Self.isLater(published, than: fetched.published) ? .later : .unclear
    }

    static func isLater(_ date: UTCTime?, than other: UTCTime?) -> Bool {
        guard let date, let other else { return false }
        return date.secondsSince1970.subtractingReportingOverflow(other.secondsSince1970).partialValue >= secondsBetween
    }
}

/// Where an episode's file is, and what it was fetched for.
public struct KeptIssue: Sendable, Equatable {
    /// The text that names its file.
    public let name: String
    /// `nil` is the standard folder, or that nobody wrote it down.
    public let folder: String?
    /// `nil` where nothing was fetched for this episode: a file of that name has come in another way.
    public let fetched: EpisodeIssue?
    /// Whether other episodes have the same address, and this is the latest of them: their server has the audio of one.
    public let isLatestOfAddress: Bool
}

extension Library {
    /// The name is that of its download, where it has one; else the address, as far as no other episode has it, too.
    /// - Returns: `nil` for an episode without audio of which nothing was ever wanted.
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

    /// Whether an episode has the file of that name.
    public func hasFile(named name: String) throws(LibraryError) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM download WHERE kept_as = ?)", arguments: [name]) ?? false
        }
    }

    /// An address that several episodes have names no file: they would take each other's.
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

    /// The file of the episode is that of the issue that its feed has now.
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

    /// - Parameter folder: `nil` is the standard one.
    public func noteFolder(_ episode: Int64, _ folder: String?) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: "UPDATE download SET folder = :folder WHERE episode = :episode AND folder IS NOT :folder",
                arguments: ["episode": episode, "folder": folder])
        }
    }

    /// Nothing came of playing it: it was never wanted otherwise.
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
