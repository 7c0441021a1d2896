// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

extension Library {
    /// The result of moving a feed.
    public enum FeedMoveOutcome: Sendable, Equatable {
        case moved
        /// Another podcast already has the address, or had it.
        case taken(by: Int64)
        /// The listener has undone this move, or the feed is already at the address.
        case declined
    }

    /// The reason of a former address to which the podcast must not move again, because the listener has undone the
    /// move.
    private static let undone = "the listener has undone the move"

    /// Moves a feed to another address; its episodes stay the same. For a subscribed podcast, the move is an act.
    /// - Parameters:
    ///   - keepsLogin: true if the password may be sent to the new address.
    ///   - wasPublic: false if the present address has just answered from the listener's network, which is not
    ///     recorded yet.
    public func moveFeed(
        _ podcast: Int64, to url: String, because reason: String, keepsLogin: Bool = true, wasPublic: Bool = true
    ) throws(LibraryError) -> FeedMoveOutcome {
        let before = try self.podcast(podcast)
        try dropInterrupted(at: url)
        let obstacle = try read { db -> FeedMoveOutcome? in
            if let owner = try Self.podcast(at: url, db)?.id, owner != podcast { return .taken(by: owner) }
            return try url == before.feedURL || hasDeclined(podcast, url, db) ? .declined : nil
        }
        if let obstacle { return obstacle }
        let move: (Database) throws -> Void = { [self] db in
            try relocate(podcast, to: url, because: reason, db)
            if !keepsLogin { try db.execute(sql: "DELETE FROM credential WHERE podcast = ?", arguments: [podcast]) }
        }
        guard before.unsubscribedAt == nil else {
            try writeDurably(move)
            return .moved
        }
        try act(.moveFeed, "\(before.name), to \(PublicAddress.shown(url, isPrivate: before.isPrivate))") { db in
            try move(db)
            try declineWhenUndone(podcast, url, db)
            try forgetWhenUndone(podcast, isPublic: before.feed.isPublic && wasPublic, db)
            try freeAddressWhenUndone(before, db)
        }
        return .moved
    }

    /// Frees an address that only an interrupted subscription has.
    private func dropInterrupted(at url: String) throws(LibraryError) {
        let prepared = try read { db in
            try Self.podcast(at: url, orFormerly: false, db).flatMap { try Self.isPrepared($0.id, db) ? $0.id : nil }
        }
        if let prepared { try dropPrepared(prepared) }
    }

    /// Moves a podcast back to a former address that the listener named.
    public func moveBack(_ podcast: Int64, to url: String) throws(LibraryError) {
        let before = try self.podcast(podcast)
        let move: (Database) throws -> Void = { [self] db in
            try relocate(podcast, to: url, because: "the listener went back", db)
        }
        guard before.unsubscribedAt == nil else { return try writeDurably(move) }
        try act(.moveFeed, "\(before.name), to \(PublicAddress.shown(url, isPrivate: before.isPrivate))") { db in
            try move(db)
            try forgetWhenUndone(podcast, isPublic: before.feed.isPublic, db)
            try freeAddressWhenUndone(before, db)
        }
    }

    /// - Returns: the podcast that was at `url` before it moved, other than `podcast`.
    public func podcast(
        formerlyAt url: String, besides podcast: Int64
    ) throws(LibraryError) -> PodcastSummary? {
        let id = try read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT podcast FROM former_address WHERE url = ? AND podcast != ? ORDER BY left_at DESC LIMIT 1
                    """, arguments: [url, podcast])
        }
        return try id.map(self.podcast)
    }

    /// Forgets the address that the feed announces, because the podcast does not move there. A changed document may
    /// announce it again.
    public func forgetAnnouncedURL(of podcast: Int64) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE podcast SET details = nullif(json_remove(details, '$.newFeedURL'), '{}')
                    WHERE id = ? AND json_valid(details)
                    """, arguments: [podcast])
        }
    }

    /// Returns the former addresses of the feed, the latest first.
    public func formerAddresses(of podcast: Int64) throws(LibraryError) -> [String] {
        try read { db in
            try String.fetchAll(
                db, sql: "SELECT url FROM former_address WHERE podcast = ? ORDER BY left_at DESC, rowid DESC",
                arguments: [podcast])
        }
    }

    /// Changes the address and forgets the state of the document at the old address.
    func relocate(_ podcast: Int64, to url: String, because reason: String, _ db: Database) throws {
        let left = try String.fetchOne(db, sql: "SELECT feed_url FROM podcast WHERE id = ?", arguments: [podcast])
        guard let left, left != url else { return }
        try db.execute(sql: "DELETE FROM former_address WHERE podcast = ? AND url = ?", arguments: [podcast, url])
        try db.execute(
            sql: "INSERT INTO former_address (podcast, url, left_at, reason) VALUES (?, ?, ?, ?)",
            arguments: [podcast, left, now().secondsSince1970, reason])
        try db.execute(sql: "UPDATE podcast SET feed_url = ? WHERE id = ?", arguments: [url, podcast])
        try Self.forgetDocument(of: podcast, db)
        try db.execute(sql: "UPDATE feed_state SET is_public = 1 WHERE podcast = ?", arguments: [podcast])
    }

    private func hasDeclined(_ podcast: Int64, _ url: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM former_address WHERE podcast = ? AND url = ? AND reason = ?)",
            arguments: [podcast, url, Self.undone]) ?? false
    }

    /// Adds a declined address to the inverse of the act; otherwise the next refresh would repeat the move.
    private func declineWhenUndone(_ podcast: Int64, _ url: String, _ db: Database) throws {
        let values = try String.fetchOne(db, sql: "SELECT quote(?) || ', ' || quote(?)", arguments: [url, Self.undone])
        guard let values else { return }
        let columns = "former_address (podcast, url, reason, left_at)"
        try UndoRecorder.add("INSERT INTO \(columns) VALUES (\(podcast), \(values), wall_clock())", db)
    }

    /// Adds a reset of the document's state to the inverse of the act, because the state belongs to the other
    /// address.
    private func forgetWhenUndone(_ podcast: Int64, isPublic: Bool, _ db: Database) throws {
        let state = "etag = NULL, last_modified = NULL, body_key = NULL, is_public = \(isPublic ? 1 : 0)"
        try UndoRecorder.add("UPDATE feed_state SET \(state) WHERE podcast = \(podcast)", db)
    }

    /// Adds to the inverse of the act that the former address becomes free: a subscription that was interrupted while
    /// its feed was fetched has the address until the trash is emptied.
    private func freeAddressWhenUndone(_ podcast: PodcastSummary, _ db: Database) throws {
        guard let url = try String.fetchOne(db, sql: "SELECT quote(?)", arguments: [podcast.feedURL]) else { return }
        try UndoRecorder.add(
            """
            DELETE FROM podcast WHERE feed_url = \(url) AND subscribed_at = 0 AND unsubscribed_at IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM episode WHERE episode.podcast = podcast.id)
            """, db)
    }
}
