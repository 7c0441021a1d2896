// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// A name and a password for a feed and its enclosures. Its description contains neither.
public struct Login: Sendable, Equatable, CustomStringConvertible {
    public let user: String
    public let password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public var description: String { "a password" }
}

/// The data for subscribing to a podcast.
public struct Subscription: Sendable, Equatable {
    /// The address without user name and password.
    public var feedURL: String
    public var title: String?
    public var folder: [String]
    public var login: Login?

    public init(feedURL: String, title: String? = nil, folder: [String] = [], login: Login? = nil) {
        self.feedURL = feedURL
        self.title = title
        self.folder = folder
        self.login = login
    }
}

extension Library {
    /// The result of subscribing to a podcast.
    public enum SubscriptionOutcome: Sendable, Equatable {
        case subscribed(Int64)
        /// The podcast is already in the library, under this number.
        case known(Int64)
        /// The podcast had been unsubscribed and is restored with all its episodes and positions.
        case restored(Int64)

        public var id: Int64 {
            switch self {
            case .subscribed(let id), .known(let id), .restored(let id): id
            }
        }
    }

    /// Subscribes to a podcast.
    public func subscribe(_ subscription: Subscription) throws(LibraryError) -> SubscriptionOutcome {
        let known = try read { db in try Self.podcast(at: subscription.feedURL, db) }
        if let known, known.isActive, let login = subscription.login, try self.login(for: known.id) != login {
            return try act(.set, "password of \(try podcast(known.id).name)") { db in try insert(subscription, db) }
        }
        let address = PublicAddress.shown(subscription.feedURL, isPrivate: subscription.login != nil)
        return try act(.subscribe, subscription.title ?? address) { db in try insert(subscription, db) }
    }

    /// Adds a row for a podcast whose feed is about to be fetched for the first time. The podcast is subscribed to
    /// only when `subscribe` is called, and the row disappears if it never is.
    public func prepare(_ subscription: Subscription) throws(LibraryError) -> SubscriptionOutcome {
        try write { db in
            if let (id, isActive) = try Self.podcast(at: subscription.feedURL, orFormerly: false, db) {
                if isActive { return .known(id) }
                guard try Self.isPrepared(id, db) else { return .restored(id) }
                // A process that was killed while it fetched the feed leaves such a row, perhaps with a wrong password.
                try keep(subscription.login, for: id, db)
                return .subscribed(id)
            }
            try db.execute(
                sql: "INSERT INTO podcast (feed_url, subscribed_at, unsubscribed_at) VALUES (?, 0, \(Self.stamp))",
                arguments: [subscription.feedURL])
            let id = db.lastInsertedRowID
            if let login = subscription.login { try keep(login, for: id, db) }
            return .subscribed(id)
        }
    }

    /// Reverts `prepare`.
    public func dropPrepared(_ podcast: Int64) throws(LibraryError) {
        try write { db in
            guard try Self.isPrepared(podcast, db) else { return }
            let first = try Int64.fetchOne(
                db, sql: "SELECT min(id) FROM episode WHERE podcast = ?", arguments: [podcast])
            try SearchIndex.remove(podcast: podcast, db)
            try db.execute(sql: "DELETE FROM podcast WHERE id = ?", arguments: [podcast])
            try Self.releaseNumbers(podcast, in: "podcast", db)
            if let first { try Self.releaseNumbers(first, in: "episode", db) }
        }
    }

    /// True if the podcast was prepared and not subscribed to yet.
    static func isPrepared(_ podcast: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT subscribed_at = 0 AND unsubscribed_at IS NOT NULL FROM podcast WHERE id = ?",
            arguments: [podcast]) ?? false
    }

    /// Makes the numbers from `first` on available again if they are unused: no user has seen them yet.
    private static func releaseNumbers(_ first: Int64, in table: String, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE sqlite_sequence SET seq = max(:last, (SELECT coalesce(max(id), 0) FROM \(table)))
                WHERE name = :table AND seq > :last
                """, arguments: ["last": first - 1, "table": table])
    }

    /// Stores the password of a podcast in place of the present one; `nil` deletes it.
    public func keep(_ login: Login?, for podcast: Int64) throws(LibraryError) {
        try write { db in try keep(login, for: podcast, db) }
    }

    /// Imports subscriptions in one act.
    public func importing(_ subscriptions: [Subscription]) throws(LibraryError) -> [SubscriptionOutcome] {
        try act(.importing, CountText.text(subscriptions.count, "podcast")) { db in
            try subscriptions.map { try insert($0, db) }
        }
    }

    func insert(_ subscription: Subscription, _ db: Database) throws -> SubscriptionOutcome {
        let outcome = try reviveOrInsert(subscription, db)
        if let login = subscription.login { try keep(login, for: outcome.id, db) }
        return outcome
    }

    private func keep(_ login: Login?, for podcast: Int64, _ db: Database) throws {
        guard let login else {
            return try db.execute(sql: "DELETE FROM credential WHERE podcast = ?", arguments: [podcast])
        }
        try db.execute(
            sql: """
                INSERT INTO credential (podcast, user, password) VALUES (:podcast, :user, :password)
                ON CONFLICT (podcast) DO UPDATE SET user = :user, password = :password
                """, arguments: ["podcast": podcast, "user": login.user, "password": login.password])
    }

    private func reviveOrInsert(_ subscription: Subscription, _ db: Database) throws -> SubscriptionOutcome {
        if let (id, isActive) = try Self.podcast(at: subscription.feedURL, db) {
            try complete(id, with: subscription.feedURL, db)
            // A podcast that has groups keeps them.
            try db.execute(
                sql: "UPDATE podcast SET folder = ? WHERE id = ? AND folder = '[]'",
                arguments: [JSONList.text(subscription.folder), id])
            guard !isActive else { return .known(id) }
            // The listener's address is used, not one to which the feed has moved in the meantime.
            if !PublicAddress.lacksSecrets(subscription.feedURL) {
                try relocate(id, to: subscription.feedURL, because: "subscribed to again", db)
            }
            // The downloads were moved to the trash with the podcast; those still in the trash are restored with it.
            try db.execute(
                sql: """
                    UPDATE download SET removed_at = NULL
                    WHERE state <> 'wanted' AND removed_at = (SELECT unsubscribed_at FROM podcast WHERE id = :id)
                        AND episode IN (SELECT id FROM episode WHERE podcast = :id)
                    """, arguments: ["id": id])
            let isNew = try Bool.fetchOne(
                db, sql: "SELECT subscribed_at = 0 FROM podcast WHERE id = ?", arguments: [id])
            try db.execute(
                sql: """
                    UPDATE podcast SET unsubscribed_at = NULL, subscribed_at = iif(subscribed_at = 0, ?, subscribed_at)
                    WHERE id = ?
                    """, arguments: [now().secondsSince1970, id])
            return isNew == true ? .subscribed(id) : .restored(id)
        }
        try db.execute(
            sql: "INSERT INTO podcast (feed_url, title, folder, subscribed_at) VALUES (?, ?, ?, ?)",
            arguments: [
                subscription.feedURL, subscription.title, JSONList.text(subscription.folder), now().secondsSince1970,
            ])
        return .subscribed(db.lastInsertedRowID)
    }

    /// Completes the address of a podcast that was imported without its token.
    public func complete(_ podcast: Int64, with url: String) throws(LibraryError) {
        try write { db in try complete(podcast, with: url, db) }
    }

    private func complete(_ podcast: Int64, with url: String, _ db: Database) throws {
        let present = try String.fetchOne(db, sql: "SELECT feed_url FROM podcast WHERE id = ?", arguments: [podcast])
        guard let present, PublicAddress.lacksSecrets(present), present != url else { return }
        try db.execute(sql: "UPDATE podcast SET feed_url = ? WHERE id = ?", arguments: [url, podcast])
    }

    /// Returns the podcast at an address, or at a form of it that an import left without its token.
    /// - Parameter orFormerly: true to find podcasts also by their former addresses.
    static func podcast(
        at url: String, orFormerly: Bool = true, _ db: Database
    ) throws -> (id: Int64, isActive: Bool)? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT id, unsubscribed_at IS NULL FROM podcast WHERE feed_url = :url
                UNION ALL
                SELECT id, unsubscribed_at IS NULL FROM former_address JOIN podcast ON podcast.id = podcast
                WHERE url = :url AND :formerly
                LIMIT 1
                """, arguments: ["url": url, "formerly": orFormerly])
        if let row { return (try row[0], try row[1]) }
        guard !PublicAddress.lacksSecrets(url) else { return nil }
        let forms = PublicAddress.forms(of: url)
        return try Row.fetchAll(
            db,
            sql: """
                SELECT id, unsubscribed_at IS NULL, feed_url FROM podcast WHERE instr(feed_url, '***') ORDER BY id
                """
        ).first { forms.contains(PublicAddress.withoutNumber(try $0[2])) }.map { (try $0[0], try $0[1]) }
    }

    /// The time at which a podcast is unsubscribed, in SQL: later than each earlier removal of a download, so that
    /// subscribing again restores only the downloads that were removed with the podcast.
    static let departure = """
        max(\(stamp), 1 + coalesce((
            SELECT max(removed_at) FROM download JOIN episode ON episode.id = download.episode
            WHERE episode.podcast = podcast.id), 0))
        """

    /// Unsubscribes from a podcast. Its episodes and the listener's data are kept until the trash is emptied; its
    /// downloads are moved to the trash. The caller moves the files.
    public func unsubscribe(_ podcast: Int64) throws(LibraryError) {
        let name = try self.podcast(podcast).name
        let isOfPodcast = "episode IN (SELECT id FROM episode WHERE podcast = ?)"
        try act(.unsubscribe, name) { db in
            let time = try Int64.fetchOne(
                db, sql: "SELECT \(Self.departure) FROM podcast WHERE id = ?", arguments: [podcast])
            try db.execute(
                sql: "UPDATE podcast SET unsubscribed_at = ? WHERE id = ? AND unsubscribed_at IS NULL",
                arguments: [time, podcast])
            try db.execute(
                sql: "UPDATE download SET removed_at = ? WHERE removed_at IS NULL AND \(isOfPodcast)",
                arguments: [time, podcast])
            try db.execute(sql: "DELETE FROM queue_entry WHERE \(isOfPodcast)", arguments: [podcast])
        }
    }

    /// Sets the listener's own title of the podcast; `nil` or a blank title removes it.
    /// - Returns: true if the title changed.
    @discardableResult
    public func rename(_ podcast: Int64, to title: String?) throws(LibraryError) -> Bool {
        let name = try self.podcast(podcast).name
        let title = title.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        guard title != name else { return false }
        return try act(.rename, name) { db in
            try db.execute(
                sql: "UPDATE podcast SET own_title = :title WHERE id = :id AND own_title IS NOT :title",
                arguments: ["title": title, "id": podcast])
            return db.changesCount > 0
        }
    }

    /// Returns the login of a podcast; `nil` for a feed without a password.
    public func login(for podcast: Int64) throws(LibraryError) -> Login? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT user, password FROM credential WHERE podcast = ?", arguments: [podcast])
                .map { Login(user: try $0[0], password: try $0[1]) }
        }
    }
}
