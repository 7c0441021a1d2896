// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The data needed to refresh a feed.
public struct SubscribedFeed: Sendable, Equatable, Identifiable {
    public let id: Int64
    public let url: String
    /// The name for display.
    public let name: String
    public let state: FeedState
    public let login: Login?
    /// True if the feed requires a password or asks directories not to list it.
    public let isPrivate: Bool
    /// The frequency of new episodes that the feed announces, as a recurrence rule (RFC 5545, 3.3.10).
    public let recurrenceRule: String?
    /// The address that the feed announced when it was read last.
    public let announcedURL: String?
}

extension Library {
    /// Returns the feeds of podcasts.
    /// - Parameter podcasts: the podcasts, which need not be subscribed to; `nil` returns all subscribed ones.
    /// - Returns: the feeds, each once.
    public func feeds(_ podcasts: [Int64]? = nil) throws(LibraryError) -> [SubscribedFeed] {
        try read { db in
            let query = """
                SELECT podcast.id, feed_url, coalesce(own_title, title) AS name, feed_state.*, user, password,
                    \(PodcastSummary.privacy) AS private,
                    iif(json_valid(details), details ->> '$.updateFrequencies[0].rule', NULL) AS rule,
                    iif(json_valid(details), details ->> '$.newFeedURL', NULL) AS announced
                FROM podcast LEFT JOIN feed_state ON feed_state.podcast = podcast.id
                LEFT JOIN credential ON credential.podcast = podcast.id

                """
            guard let podcasts else {
                return try Row.fetchAll(db, sql: query + "WHERE unsubscribed_at IS NULL ORDER BY podcast.id")
                    .map(SubscribedFeed.init(row:))
            }
            let statement = try db.cachedStatement(sql: query + "WHERE podcast.id = ?")
            var seen: Set<Int64> = []
            return try podcasts.filter { seen.insert($0).inserted }.compactMap {
                try Row.fetchOne(statement, arguments: [$0]).map(SubscribedFeed.init(row:))
            }
        }
    }
}

extension SubscribedFeed {
    init(row: Row) throws {
        id = try row["id"]
        url = try row["feed_url"]
        isPrivate = try row["private"]
        name = try row["name"] ?? PublicAddress.shown(url, isPrivate: isPrivate)
        state = try FeedState(row: row)
        recurrenceRule = try row["rule"]
        announcedURL = try row["announced"]
        let user: String? = try row["user"]
        login = try user.map { Login(user: $0, password: try row["password"]) }
    }
}
