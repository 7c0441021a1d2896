// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// An action of the listener, as the journal records it.
public struct Act: Sendable, Equatable, Identifiable {
    /// The kind of action.
    public enum Verb: String, Sendable, CaseIterable {
        case subscribe, unsubscribe, markPlayed, markUnplayed, queue, download, remove, set, importing
        case bookmark, removeBookmark, smartQueue, removeSmartQueue
        case merge, split, rename, moveFeed, shiftTranscript, startOver
    }

    public let id: Int64
    public let at: UTCTime
    public let verb: Verb
    /// The object of the action, for display.
    public let subject: String
    public let isUndone: Bool

    init?(row: Row) throws {
        guard let verb = Verb(rawValue: try row["verb"]) else { return nil }
        id = try row["id"]
        at = UTCTime(secondsSince1970: try row["at"])
        self.verb = verb
        subject = try row["subject"]
        isUndone = (try row["undone_at"] as Int64?) != nil
    }

    private init(_ act: Act, isUndone: Bool) {
        (id, at, verb, subject) = (act.id, act.at, act.verb, act.subject)
        self.isUndone = isUndone
    }

    fileprivate var undone: Act { Act(self, isUndone: true) }
}

extension Library {
    /// The time during which a removal can be undone.
    public static let trashAge: Duration = .seconds(30 * 86_400)

    /// Performs an action of the listener as one durable transaction and stores its inverse, so that it can be
    /// undone.
    func act<Value>(
        _ verb: Act.Verb, _ subject: String, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        try writeDurably { db in try act(verb, subject, in: db, body) }
    }

    /// Performs an action within a transaction and stores its inverse.
    func act<Value>(
        _ verb: Act.Verb, _ subject: String, in db: Database, _ body: (Database) throws -> Value
    ) throws -> Value {
        try startCounting(db)
        try db.execute(
            sql: "INSERT INTO act (at, verb, subject) VALUES (\(Self.stamp), ?, ?)",
            arguments: [verb.rawValue, subject])
        let id = db.lastInsertedRowID
        let value = try UndoRecorder.recording(db, act: id) { try body(db) }
        let hasChanged = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM act_inverse WHERE act = ?)", arguments: [id])
        // An act without changes needs no undo.
        if hasChanged == false { try db.execute(sql: "DELETE FROM act WHERE id = ?", arguments: [id]) }
        return value
    }

    /// Returns the acts, the latest first.
    public func acts(limit: Int) throws(LibraryError) -> [Act] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM act ORDER BY id DESC LIMIT ?", arguments: [limit])
                .compactMap(Act.init(row:))
        }
    }

    /// Undoes the latest act that has not been undone.
    /// - Returns: the act in its new state.
    /// - Throws: `missing` if no such act exists.
    @discardableResult
    public func undo() throws(LibraryError) -> Act { try undoLatest().act }

    /// Undoes the latest act that has not been undone, as far as the affected objects are still in the library.
    /// - Throws: `missing` if no such act exists.
    public func undoLatest() throws(LibraryError) -> UndoResult {
        try writeDurably { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM act WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1")
            guard let act = try row.flatMap(Act.init(row:)) else {
                throw LibraryError(.missing, "nothing to undo")
            }
            // Rows that refer to each other are restored one after the other.
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            var undoing = UndoResult(act: act.undone)
            let statements = try String.fetchAll(
                db, sql: "SELECT statement FROM act_inverse WHERE act = ? ORDER BY step DESC", arguments: [act.id])
            for statement in statements {
                try db.execute(sql: statement)
                undoing.note(statement, changes: db.changesCount)
            }
            try mergeAgain(after: act, db)
            try db.execute(
                sql: "UPDATE act SET undone_at = ? WHERE id = ?", arguments: [now().secondsSince1970, act.id])
            return undoing
        }
    }

    /// Merges the episodes that a refresh has added while an act was in effect, and that the undo would list twice:
    /// after a split, those that are merged again; after a merge, those that are restored. Each merge is an act, so
    /// that the next undo restores both episodes.
    private func mergeAgain(after undone: Act, _ db: Database) throws {
        guard [.split, .merge, .importing].contains(undone.verb) else { return }
        let owners = try UndoRecorder.deletedRows(of: "alias", by: undone.id, db) { row, _ in
            try row["episode"] as Int64
        }
        for episode in Set(owners).sorted() {
            try act(.merge, undone.subject, in: db) { db in try EpisodeUnion.absorb(db, into: episode) }
        }
        let restored = try UndoRecorder.deletedRows(of: "episode", by: undone.id, db) { row, _ in
            (id: try row["id"] as Int64, title: try row["title"] as String?)
        }
        for (episode, title) in restored {
            let added = try EpisodeUnion.added(db, like: episode, since: undone.at)
            guard !added.isEmpty else { continue }
            try act(.merge, title ?? undone.subject, in: db) { db in
                for other in added { try EpisodeUnion.unite(db, other, into: episode) }
            }
        }
    }

    /// Permanently deletes trash older than `age` and the acts before that.
    public func emptyTrash(olderThan age: Duration = Library.trashAge) throws(LibraryError) {
        let oldest = try latest(before: age)
        try write { db in
            try db.execute(sql: "DELETE FROM act WHERE at < ?", arguments: [oldest])
            let podcasts = try Int64.fetchAll(
                db, sql: "SELECT id FROM podcast WHERE unsubscribed_at < ?", arguments: [oldest])
            for podcast in podcasts { try forget(podcast, db) }
            try forgetDepartedEpisodes(db, before: oldest)
        }
    }

    private func forget(_ podcast: Int64, _ db: Database) throws {
        try SearchIndex.remove(podcast: podcast, db)
        try db.execute(sql: "DELETE FROM setting WHERE podcast = ?", arguments: [podcast])
        try db.execute(sql: "DELETE FROM smart_queue WHERE of_podcast = ?", arguments: [podcast])
        try db.execute(sql: "DELETE FROM podcast WHERE id = ?", arguments: [podcast])
        try ListeningSums.keepFormerPodcasts(db)
    }

    /// Deletes episodes that left their feed and that the listener never used, unless an act that can be undone needs
    /// them.
    private func forgetDepartedEpisodes(_ db: Database, before: Int64) throws {
        let ids = try Int64.fetchAll(
            db, sql: "SELECT id FROM episode WHERE left_at < ? AND NOT \(EpisodeSummary.isTouched)",
            arguments: [before])
        guard !ids.isEmpty else { return }
        let needed = try UndoRecorder.episodes(db)
        for id in ids where !needed.contains(id) {
            try SearchIndex.removeAll(id, db)
            try db.execute(sql: "DELETE FROM episode WHERE id = ?", arguments: [id])
        }
    }
}
