// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
public import Podcasts

/// What is known of fetching a feed: what decides when it is asked again, and how.
public struct FeedState: Sendable, Equatable {
    public var etag: String?
    public var lastModified: String?
    /// A digest of the last document's bytes.
    public var bodyKey: Int64?
    public var triedAt: UTCTime?
    public var goodAt: UTCTime?
    /// When it was last asked for unconditionally.
    public var fullAt: UTCTime?
    /// In a row.
    public var failures = 0
    public var failure: String?
    /// The server asked to be left alone until then.
    public var retryAt: UTCTime?
    /// The server said that the feed is gone for good.
    public var goneAt: UTCTime?
    /// Whether it was somebody on the internet who answered last: what such a feed names must not lead into the
    /// listener's own network.
    public var isPublic = true

    public init() {}
}

extension FeedState {
    init(row: Row) {
        etag = row["etag"]
        lastModified = row["last_modified"]
        bodyKey = row["body_key"]
        triedAt = UTCTime(row["tried_at"])
        goodAt = UTCTime(row["good_at"])
        fullAt = UTCTime(row["full_at"])
        failures = row["failures"] ?? 0
        failure = row["failure"]
        retryAt = UTCTime(row["retry_at"])
        goneAt = UTCTime(row["gone_at"])
        isPublic = row["is_public"] ?? true
    }

    static func noteSuccess(_ db: Database, _ podcast: Int64, _ fetch: FeedMerge.Fetch, now: Int64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO feed_state (podcast, etag, last_modified, body_key, tried_at, good_at, full_at, is_public)
                VALUES (:podcast, :etag, :modified, :key, :now, :now, :full, :public)
                ON CONFLICT (podcast) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified,
                    body_key = excluded.body_key, tried_at = :now, good_at = :now,
                    full_at = coalesce(excluded.full_at, full_at), failures = 0, failure = NULL, retry_at = NULL,
                    gone_at = NULL, is_public = excluded.is_public
                """
        ).execute(arguments: [
            "podcast": podcast, "etag": fetch.etag, "modified": fetch.lastModified, "key": fetch.bodyKey, "now": now,
            "full": fetch.wasFull ? now : nil, "public": fetch.isPublic,
        ])
    }
}

extension UTCTime {
    init?(_ seconds: Int64?) {
        guard let seconds else { return nil }
        self.init(secondsSince1970: seconds)
    }
}

extension Library {
    /// These feeds have not changed since they were last merged: one transaction for all.
    /// - Parameter wasFull: whether the question was unconditional.
    public func noteUnchanged(_ podcasts: [Int64], wasFull: Bool = false) throws(LibraryError) {
        guard !podcasts.isEmpty else { return }
        try write { db in
            let now = now().secondsSince1970
            let statement = try db.cachedStatement(
                sql: """
                    UPDATE feed_state SET tried_at = ?, good_at = ?, full_at = coalesce(?, full_at), failures = 0,
                        failure = NULL, retry_at = NULL, gone_at = NULL
                    WHERE podcast = ?
                    """)
            for podcast in podcasts {
                try statement.execute(arguments: [now, now, wasFull ? now : nil, podcast])
            }
        }
    }

    /// The feed could not be had.
    /// - Parameter retryAt: before which the server does not want to be asked.
    public func noteFailure(
        _ podcast: Int64, _ reason: String, retryAt: UTCTime? = nil, isGone: Bool = false
    ) throws(LibraryError) {
        try write { db in
            let now = now().secondsSince1970
            try db.execute(
                sql: """
                    INSERT INTO feed_state (podcast, tried_at, failures, failure, retry_at, gone_at)
                    VALUES (:podcast, :now, 1, :failure, :retry, :gone)
                    ON CONFLICT (podcast) DO UPDATE SET tried_at = :now, failures = failures + 1, failure = :failure,
                        retry_at = :retry, gone_at = coalesce(gone_at, :gone)
                    """,
                arguments: [
                    "podcast": podcast, "now": now, "failure": reason, "retry": retryAt?.secondsSince1970,
                    "gone": isGone ? now : nil,
                ])
        }
    }
}
