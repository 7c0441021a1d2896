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
    /// When the whole of it came last.
    public var fullAt: UTCTime?
    /// Answers since then that nothing has changed.
    public var answersSinceFull = 0
    /// In a row.
    public var failures = 0
    public var failure: String?
    /// The server asked to be left alone until then.
    public var retryAt: UTCTime?
    /// The server said that the feed is gone for good.
    public var goneAt: UTCTime?
    /// Whether it was always somebody on the internet who answered: what such a feed names must not lead into the
    /// listener's own network. One that the listener has found there may come from outside meanwhile.
    public var isPublic = true

    public init() {}
}

extension FeedState {
    init(row: Row) throws {
        etag = try row["etag"]
        lastModified = try row["last_modified"]
        bodyKey = try row["body_key"]
        triedAt = UTCTime(try row["tried_at"])
        goodAt = UTCTime(try row["good_at"])
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

/// What an answer of the server leaves behind for the next question.
public struct FeedFetch: Sendable, Equatable {
    public var podcast: Int64
    public var etag: String?
    public var lastModified: String?
    /// A digest of the document's bytes.
    public var bodyKey: Int64?
    /// The whole came, and not only the answer that nothing has changed.
    public var wasFull: Bool
    /// Whether somebody on the internet answered; `nil` where that is not known.
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
    /// These feeds were asked, and have answered: one transaction for all.
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

    /// The feed is read as a whole the next time, as if nothing were known of its document.
    static func forgetDocument(of podcast: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE feed_state SET etag = NULL, last_modified = NULL, body_key = NULL WHERE podcast = ?",
            arguments: [podcast])
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
