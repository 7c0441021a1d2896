// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// The merge of two episodes of the library, which keeps all of the listener's data.
enum EpisodeUnion {
    /// The kind of the alias that keeps the number of a merged episode: a process that plays the episode still has it.
    static let number = "number"
    /// The same after the episodes were split: it no longer shows that the other aliases are those of a merge.
    static let splitNumber = "split number"

    static func unite(_ db: Database, _ from: Int64, into: Int64) throws {
        try movePlayback(db, from, into)
        for range in try PlayedRanges.ranges(of: from, db) { try PlayedRanges.add(range, to: into, db) }
        try keepBetterDownload(db, from, into)
        for statement in moves { try db.execute(sql: statement, arguments: ["from": from, "into": into]) }
        try moveNames(db, from, into)
        try SearchIndex.removeAll(from, db)
        try db.execute(sql: "DELETE FROM episode WHERE id = ?", arguments: [from])
    }

    /// Merges the episodes of the podcast whose GUID and audio are aliases of an episode into that one. A refresh adds
    /// no such episode, but it may have done so before the aliases existed. An episode without audio must be the only
    /// one with its GUID, because some feeds give one GUID to all entries.
    /// - Parameter others: the episodes that stay.
    static func absorb(_ db: Database, into episode: Int64, besides others: Set<Int64> = []) throws {
        let known = try Int64.fetchAll(
            db,
            sql: """
                SELECT other.id FROM episode AS own JOIN alias ON alias.episode = own.id AND alias.kind = :guid
                JOIN episode AS other ON other.guid_key = alias.key
                WHERE own.id = :episode AND other.podcast = own.podcast AND other.id <> own.id
                    AND (other.enclosure_key = own.enclosure_key OR other.enclosure_key IN (
                        SELECT key FROM alias WHERE episode = own.id AND kind = :enclosure)
                    OR other.enclosure_key IS NULL AND NOT EXISTS (
                        SELECT 1 FROM episode AS third WHERE third.guid_key = other.guid_key
                            AND third.podcast = other.podcast AND third.id <> other.id))
                ORDER BY other.id
                """,
            arguments: [
                "episode": episode, "guid": EpisodeMatcher.Kind.guid.rawValue,
                "enclosure": EpisodeMatcher.Kind.enclosure.rawValue,
            ])
        for other in known where !others.contains(other) { try unite(db, other, into: episode) }
    }

    /// Returns the episodes that a refresh has added because an episode with their identifiers was not in the library.
    /// - Parameter time: the time since which it was not in the library, by `Library.stamp`, as `first_seen_at` is.
    static func added(_ db: Database, like episode: Int64, since time: UTCTime) throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT other.id FROM episode AS own JOIN episode AS other ON other.guid_key = own.guid_key
                WHERE own.id = :episode AND other.podcast = own.podcast AND other.id > own.id
                    AND other.enclosure_key IS own.enclosure_key AND other.first_seen_at >= :time
                ORDER BY other.id
                """, arguments: ["episode": episode, "time": time.secondsSince1970])
    }

    /// Keeps the position that was played last; an episode played to its end stays finished.
    private static func movePlayback(_ db: Database, _ from: Int64, _ into: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO playback (episode, position, anchor, version, duration, played_at, finished_at, marked_at)
                SELECT :into, position, anchor, version, duration, played_at, finished_at, marked_at
                FROM playback WHERE episode = :from
                ON CONFLICT (episode) DO UPDATE SET
                    position = iif(excluded.played_at > coalesce(played_at, 0), excluded.position, position),
                    anchor = iif(excluded.played_at > coalesce(played_at, 0), excluded.anchor, anchor),
                    version = iif(excluded.played_at > coalesce(played_at, 0), excluded.version, version),
                    duration = iif(excluded.played_at > coalesce(played_at, 0), excluded.duration, duration),
                    played_at = nullif(max(coalesce(excluded.played_at, 0), coalesce(played_at, 0)), 0),
                    finished_at = coalesce(finished_at, excluded.finished_at),
                    marked_at = nullif(max(coalesce(excluded.marked_at, 0), coalesce(marked_at, 0)), 0)
                """, arguments: ["from": from, "into": into])
    }

    /// If both have a download, keeps the one outside the trash, or the more complete one.
    private static func keepBetterDownload(_ db: Database, _ from: Int64, _ into: Int64) throws {
        let rank = """
            (SELECT (removed_at IS NULL) * 10 + CASE state WHEN 'complete' THEN 3 WHEN 'partial' THEN 2
                WHEN 'wanted' THEN 1 ELSE 0 END FROM download WHERE episode = :which)
            """
        let ranks = try [from, into].map { try Int.fetchOne(db, sql: "SELECT \(rank)", arguments: ["which": $0]) }
        guard let other = ranks[0], let own = ranks[1], other > own else { return }
        try db.execute(sql: "DELETE FROM download WHERE episode = ?", arguments: [into])
    }

    private static let moves = [
        "UPDATE bookmark SET episode = :into WHERE episode = :from",
        "UPDATE OR IGNORE queue_entry SET episode = :into WHERE episode = :from",
        "UPDATE OR IGNORE download SET episode = :into WHERE episode = :from",
        "UPDATE OR IGNORE loudness SET episode = :into WHERE episode = :from",
        "UPDATE OR IGNORE transcript_shift SET episode = :into WHERE episode = :from",
        "UPDATE alias SET episode = :into WHERE episode = :from",
    ]

    private static func moveNames(_ db: Database, _ from: Int64, _ into: Int64) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO alias (podcast, kind, key, episode)
                SELECT podcast, '\(number)', id, :into FROM episode WHERE id = :from
                """, arguments: ["from": from, "into": into])
        for kind in EpisodeMatcher.Kind.allCases {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO alias (podcast, kind, key, episode)
                    SELECT podcast, '\(kind.rawValue)', \(kind.rawValue)_key, :into FROM episode
                    WHERE id = :from AND \(kind.rawValue)_key IS NOT NULL
                    """, arguments: ["from": from, "into": into])
        }
    }
}

extension Library {
    /// Returns the episode that has the listener's data of an episode: the one into which it was merged, or itself.
    public func current(_ episode: Int64) throws(LibraryError) -> Int64 {
        try read { db in try current(episode, db) }
    }

    func current(_ episode: Int64, _ db: Database) throws -> Int64 {
        let isThere = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM episode WHERE id = ?"), arguments: [episode])
        guard isThere == nil else { return episode }
        return try Int64.fetchOne(
            db, sql: "SELECT episode FROM alias WHERE kind IN (?, ?) AND key = ? ORDER BY kind LIMIT 1",
            arguments: [EpisodeUnion.number, EpisodeUnion.splitNumber, episode])
            ?? episode
    }
}
