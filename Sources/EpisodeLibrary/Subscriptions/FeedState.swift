// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// The state of fetching a feed; it determines when and how the feed is requested again.
public struct FeedState: Sendable, Equatable {
    public var etag: String?
    public var lastModified: String?
    /// The digest of the last document's bytes.
    public var bodyKey: Int64?
    public var triedAt: UTCTime?
    public var succeededAt: UTCTime?
    /// The time at which the whole feed was last received.
    public var fullAt: UTCTime?
    /// The number of answers since then, or since the first one, without the whole feed.
    public var answersSinceFull = 0
    /// The number of consecutive failures.
    public var failures = 0
    public var failure: String?
    /// The end of a pause that the server asked for.
    public var retryAt: UTCTime?
    /// The time at which the server reported that the feed no longer exists.
    public var goneAt: UTCTime?
    /// True if every answer came from a public address. The enclosures of such a feed must not lead into the
    /// listener's local network. A feed that was once found in the local network stays non-public, even if it is read
    /// from outside later.
    public var isPublic = true

    public init() {}
}

extension FeedState {
    init(row: Row) throws {
        etag = try row["etag"]
        lastModified = try row["last_modified"]
        bodyKey = try row["body_key"]
        triedAt = UTCTime(try row["tried_at"])
        succeededAt = UTCTime(try row["good_at"])
        fullAt = UTCTime(try row["full_at"])
        answersSinceFull = try row["answers_since_full"] ?? 0
        failures = try row["failures"] ?? 0
        failure = try row["failure"]
        retryAt = UTCTime(try row["retry_at"])
        goneAt = UTCTime(try row["gone_at"])
        isPublic = try row["is_public"] ?? true
    }
}

extension UTCTime {
    init?(_ seconds: Int64?) {
        guard let seconds else { return nil }
        self.init(secondsSince1970: seconds)
    }
}

/// The information of a server's answer that the next request uses.
public struct FeedFetch: Sendable, Equatable {
    public var podcast: Int64
    public var etag: String?
    public var lastModified: String?
    /// The digest of the document's bytes.
    public var bodyKey: Int64?
    /// True if the whole feed was received; false if the server reported no change.
    public var wasFull: Bool
    /// True if the answer came from a public address; `nil` if that is not known.
    public var isPublic: Bool?

    public init(
        podcast: Int64, etag: String? = nil, lastModified: String? = nil, bodyKey: Int64? = nil, wasFull: Bool = true,
        isPublic: Bool? = nil
    ) {
        self.podcast = podcast
        self.etag = etag
        self.lastModified = lastModified
        self.bodyKey = bodyKey
        self.wasFull = wasFull
        self.isPublic = isPublic
    }
}

extension Library {
    /// Records the answers of these feeds in one transaction.
    public func note(_ fetches: [FeedFetch]) throws(LibraryError) {
        guard !fetches.isEmpty else { return }
        try write { db in
            let now = now().secondsSince1970
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO feed_state (
                        podcast, etag, last_modified, body_key, tried_at, good_at, full_at, is_public)
                    SELECT :podcast, :etag, :modified, :key, :now, :now, iif(:full, :now, NULL), coalesce(:public, 1)
                    WHERE EXISTS (SELECT 1 FROM podcast WHERE id = :podcast)
                    ON CONFLICT (podcast) DO UPDATE SET etag = :etag, last_modified = :modified, body_key = :key,
                        tried_at = :now, good_at = :now, full_at = coalesce(excluded.full_at, full_at),
                        answers_since_full = iif(:full, 0, answers_since_full + 1), failures = 0, failure = NULL,
                        retry_at = NULL, gone_at = NULL, is_public = min(is_public, coalesce(:public, 1))
                    """)
            for fetch in fetches {
                try statement.execute(arguments: [
                    "podcast": fetch.podcast, "etag": fetch.etag, "modified": fetch.lastModified, "key": fetch.bodyKey,
                    "now": now, "full": fetch.wasFull, "public": fetch.isPublic,
                ])
            }
        }
    }

    /// Forgets the state of the feed's document, so that the next refresh reads the whole feed.
    static func forgetDocument(of podcast: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE feed_state SET etag = NULL, last_modified = NULL, body_key = NULL WHERE podcast = ?",
            arguments: [podcast])
    }

    /// Records that a feed could not be fetched.
    /// - Parameter retryAt: the earliest time at which the server allows the next request.
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
