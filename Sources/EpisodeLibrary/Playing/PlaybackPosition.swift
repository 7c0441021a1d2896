// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// The listener's position in an episode.
public struct PlaybackPosition: Sendable, Equatable {
    public var position: Duration
    /// The packet from which an estimated position counts; `nil` for an exact position.
    public var anchor: TimeAnchor?
    /// The duration of the file, if it is known.
    public var duration: Duration?
    /// The version of the file to which the position belongs; `nil` if it is unknown.
    public var version: String?
    /// The range played without interruption up to here since the last saved position.
    public var playedRange: Range<Duration>?
    /// The total played duration since the episode was started. A played episode that is started again stays marked
    /// as played until this is a minute or a twentieth of its duration, whichever is less.
    public var totalPlayed: Duration
    /// The time at which the listener last marked the episode.
    public var markedAt: UTCTime?

    public init(
        position: Duration, from anchor: TimeAnchor? = nil, duration: Duration? = nil,
        version: String? = nil, heard: Range<Duration>? = nil, heardInAll: Duration = .zero
    ) {
        self.position = position
        self.anchor = anchor
        self.duration = duration
        self.version = version
        self.playedRange = heard
        self.totalPlayed = heardInAll
    }
}

extension Library {
    /// The durability of a saved position.
    public enum Durability: Sendable, Equatable {
        /// The position survives a crash of the process immediately.
        case tick
        /// The position also survives a power failure.
        case act
    }

    /// Saves a position.
    public func save(_ position: PlaybackPosition, of episode: Int64, _ durability: Durability) throws(LibraryError) {
        switch durability {
        case .tick: try write { db in try save(position, of: episode, at: now(), db) }
        case .act: try writeDurably { db in try save(position, of: episode, at: now(), db) }
        }
    }

    func save(_ position: PlaybackPosition, of episode: Int64, at time: UTCTime, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO playback (episode, position, anchor, version, duration, played_at)
                SELECT :episode, :position, :anchor, :version, :duration, :now
                WHERE EXISTS (SELECT 1 FROM episode WHERE id = :episode)
                ON CONFLICT (episode) DO UPDATE SET position = :position, anchor = :anchor,
                    version = coalesce(:version, version), duration = coalesce(:duration, duration), played_at = :now,
                    finished_at = iif(:heard >= \(Self.startsAgain), NULL, finished_at)
                """
        ).execute(arguments: [
            "episode": episode, "position": position.position.microseconds, "anchor": position.anchor?.text,
            "version": position.version, "duration": position.duration?.microseconds,
            "now": time.secondsSince1970, "heard": position.totalPlayed.microseconds,
        ])
        if let heard = position.playedRange, !heard.isEmpty { try PlayedRanges.add(heard, to: episode, db) }
    }

    /// The duration, in microseconds, that must be played of a played episode before it counts as started again.
    private static let startsAgain = """
        max(1, min(60000000, coalesce(:duration, duration, (SELECT duration FROM episode WHERE id = :episode),
            60000000 * 20) / 20))
        """

    /// Records that the episode was played to its end: the next playback starts at the beginning, and the episode
    /// leaves the queue. The record survives a crash of the process immediately and a power failure after
    /// `makeDurable`, so that a slow disk does not delay the positions of the next episode.
    public func finish(_ episode: Int64, heard: Range<Duration>?) throws(LibraryError) {
        try write { db in try finish(episode, heard: heard, at: now(), db) }
    }

    func finish(_ episode: Int64, heard: Range<Duration>?, at time: UTCTime, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO playback (episode, position, played_at, finished_at)
                SELECT :episode, 0, :now, :now WHERE EXISTS (SELECT 1 FROM episode WHERE id = :episode)
                ON CONFLICT (episode) DO UPDATE SET position = 0, anchor = NULL, played_at = :now, finished_at = :now
                """, arguments: ["episode": episode, "now": time.secondsSince1970])
        try db.execute(sql: "DELETE FROM queue_entry WHERE episode = ?", arguments: [episode])
        if let heard, !heard.isEmpty { try PlayedRanges.add(heard, to: episode, db) }
    }

    /// Returns the position in an episode.
    /// - Returns: `nil` if the episode was never played.
    public func position(of episode: Int64) throws(LibraryError) -> PlaybackPosition? {
        try read { db in
            try Row.fetchOne(
                db, sql: "SELECT position, anchor, duration, version, marked_at FROM playback WHERE episode = ?",
                arguments: [episode]
            ).map { row in
                var position = PlaybackPosition(
                    position: .microseconds(try row[0] as Int64), from: TimeAnchor(text: try row[1]),
                    duration: (try row[2] as Int64?).map { .microseconds($0) },
                    version: try row[3])
                position.markedAt = UTCTime(try row[4])
                return position
            }
        }
    }

    /// Returns the episode that was played last and not to its end.
    public func lastStarted() throws(LibraryError) -> EpisodeSummary? {
        try read { db in
            try Row.fetchOne(
                db,
                sql: EpisodeSummary.query + """
                    WHERE played_at IS NOT NULL AND playback.finished_at IS NULL AND playback.position > 0
                        AND podcast.unsubscribed_at IS NULL
                    ORDER BY played_at DESC LIMIT 1
                    """
            ).map(EpisodeSummary.init(row:))
        }
    }

    /// Returns the played episodes, the latest first.
    public func history(limit: Int) throws(LibraryError) -> [EpisodeSummary] {
        try read { db in
            try Row.fetchAll(
                db, sql: EpisodeSummary.query + "WHERE played_at IS NOT NULL ORDER BY played_at DESC LIMIT ?",
                arguments: [limit]
            ).map(EpisodeSummary.init(row:))
        }
    }

    /// Marks episodes as played or unplayed; `undo` restores the position.
    public func mark(_ episodes: [Int64], played: Bool) throws(LibraryError) {
        let subject = try subject(of: episodes)
        try act(played ? .markPlayed : .markUnplayed, subject) { db in
            let time = now().secondsSince1970
            let now = played ? time : nil
            for episode in episodes {
                try db.execute(
                    sql: """
                        INSERT INTO playback (episode, finished_at, marked_at) VALUES (:episode, :now, :time)
                        ON CONFLICT (episode) DO UPDATE SET position = 0, anchor = NULL, finished_at = :now,
                            marked_at = iif(position = 0 AND finished_at IS :now, marked_at, :time)
                        """, arguments: ["episode": episode, "now": now, "time": time])
                if played {
                    try db.execute(sql: "DELETE FROM queue_entry WHERE episode = ?", arguments: [episode])
                }
            }
        }
    }

    /// Returns the subject for the journal: the title of one episode, or the number of several.
    func subject(of episodes: [Int64]) throws(LibraryError) -> String {
        guard let first = episodes.first, episodes.count == 1 else { return "\(episodes.count) episodes" }
        return try episode(first).name
    }
}
