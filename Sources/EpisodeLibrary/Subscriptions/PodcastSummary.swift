// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// The properties of a podcast that a list shows.
public struct PodcastSummary: Sendable, Equatable, Identifiable {
    public let id: Int64
    /// The address without user name and password, which are stored separately.
    public let feedURL: String
    /// The listener's own title, else the feed's.
    public let title: String?
    /// The listener's own title.
    public let ownTitle: String?
    public let author: String?
    public let description: String?
    public let link: String?
    public let image: String?
    public let language: String?
    public let guid: String?
    /// The kind of podcast: `episodic` or `serial`.
    public let kind: String?
    public let medium: String?
    public let isExplicit: Bool?
    /// The groups that contain the podcast, the outermost first.
    public let folder: [String]
    public let subscribedAt: UTCTime
    /// The time at which the podcast was unsubscribed and moved to the trash.
    public let unsubscribedAt: UTCTime?
    public let feed: FeedState
    public let episodeCount: Int
    public let unplayedCount: Int
    /// The publication time of the newest dated episode that the feed still has.
    public let latest: UTCTime?
    /// Further properties of the feed, as JSON.
    public let details: String?

    /// True if the feed requires a password or asks directories not to list it.
    public let isPrivate: Bool

    /// The title, else the address; for messages.
    public var name: String { title ?? shownFeedURL }

    /// The address without its secrets.
    public var shownFeedURL: String { PublicAddress.shown(feedURL, isPrivate: isPrivate) }
}

extension PodcastSummary {
    static let privacy = """
        (podcast.id IN (SELECT podcast FROM credential) OR instr(coalesce(podcast.details, ''), '"blocked":true') > 0)
        """

    static let query = """
        SELECT podcast.*, coalesce(own_title, title) AS shown_title, feed_state.*, \(privacy) AS private,
            (SELECT count(*) FROM episode WHERE episode.podcast = podcast.id AND left_at IS NULL) AS episodes,
            coalesce(heard.finished, 0) AS finished,
            (
                SELECT max(sorted_at) FROM episode
                WHERE episode.podcast = podcast.id AND left_at IS NULL AND published IS NOT NULL
            ) AS latest
        FROM podcast LEFT JOIN feed_state ON feed_state.podcast = podcast.id
        LEFT JOIN (
            -- CROSS: from the few that were heard, not from all there are.
            SELECT episode.podcast AS podcast, count(*) AS finished FROM playback
            CROSS JOIN episode ON episode.id = playback.episode WHERE finished_at IS NOT NULL AND left_at IS NULL
            GROUP BY episode.podcast
        ) AS heard ON heard.podcast = podcast.id

        """

    init(row: Row) throws {
        id = try row["id"]
        feedURL = try row["feed_url"]
        title = try row["shown_title"]
        ownTitle = try row["own_title"]
        author = try row["author"]
        description = try row["description"]
        link = try row["link"]
        image = try row["image"]
        language = try row["language"]
        guid = try row["guid"]
        kind = try row["kind"]
        medium = try row["medium"]
        isExplicit = try row["explicit"]
        folder = JSONList.strings(try row["folder"])
        subscribedAt = UTCTime(secondsSince1970: try row["subscribed_at"])
        unsubscribedAt = UTCTime(try row["unsubscribed_at"])
        feed = try FeedState(row: row)
        episodeCount = try row["episodes"]
        let finished: Int = try row["finished"]
        unplayedCount = episodeCount - finished
        latest = UTCTime(try row["latest"])
        details = try row["details"]
        isPrivate = try row["private"]
    }
}

extension Library {
    /// Returns the subscribed podcasts, ordered by title.
    public func podcasts() throws(LibraryError) -> [PodcastSummary] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: PodcastSummary.query
                    + "WHERE unsubscribed_at IS NULL ORDER BY lower(coalesce(own_title, title, feed_url)), podcast.id"
            ).map(PodcastSummary.init(row:))
        }
    }

    /// Returns a podcast.
    /// - Throws: `missing` if the podcast does not exist.
    public func podcast(_ id: Int64) throws(LibraryError) -> PodcastSummary {
        try read { db in
            let row = try Row.fetchOne(db, sql: PodcastSummary.query + "WHERE podcast.id = ?", arguments: [id])
            guard let row else { throw LibraryError(.missing, "there is no podcast \(id)") }
            return try PodcastSummary(row: row)
        }
    }
}
