// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// A listening time in microseconds. A passage that is heard twice counts twice; a skipped one does not count.
public struct ListeningTime: Sendable, Equatable {
    /// The time of the source, with the omitted parts of pauses.
    public var heard: Int64
    /// The time that playback took.
    public var wall: Int64
    /// The time that shortened pauses saved.
    public var trimmed: Int64
    /// The time that a higher speed saved; negative at a lower speed.
    public var sped: Int64 { heard - trimmed - wall }

    public init(heard: Int64 = 0, wall: Int64 = 0, trimmed: Int64 = 0) {
        (self.heard, self.wall, self.trimmed) = (heard, wall, trimmed)
    }

    public init(heard: Duration, wall: Duration, trimmed: Duration) {
        // A number of frames is seldom a whole number of attoseconds.
        let rounding = Duration.nanoseconds(500)
        self.init(
            heard: (heard + rounding).microseconds, wall: (wall + rounding).microseconds,
            trimmed: (trimmed + rounding).microseconds)
    }

    public static func + (one: ListeningTime, other: ListeningTime) -> ListeningTime {
        ListeningTime(
            heard: one.heard + other.heard, wall: one.wall + other.wall, trimmed: one.trimmed + other.trimmed)
    }

    public static func - (one: ListeningTime, other: ListeningTime) -> ListeningTime {
        ListeningTime(
            heard: one.heard - other.heard, wall: one.wall - other.wall, trimmed: one.trimmed - other.trimmed)
    }

    public static func += (one: inout ListeningTime, other: ListeningTime) { one = one + other }
}

/// A day of the listener: the number of days since 1970-01-01 in local time.
public struct ListeningDay: Sendable, Hashable, Comparable {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    public static func < (one: ListeningDay, other: ListeningDay) -> Bool { one.number < other.number }
}

extension ListeningDay: CustomStringConvertible {
    /// Parses a date such as `2026-11-23`.
    public init?(_ text: String) {
        guard let time = UTCTime(iso8601: text + "T00:00:00Z") else { return nil }
        self.init(time.secondsSince1970 / 86_400)
    }

    /// The date, such as `2026-11-23`.
    public var description: String {
        String(UTCTime(secondsSince1970: number * 86_400).description.prefix { $0 != "T" })
    }
}

/// A time for which an episode was heard on a day.
public struct ListeningRecord: Sendable, Equatable {
    public let episode: Int64
    public let day: ListeningDay
    public var time: ListeningTime

    public init(episode: Int64, day: ListeningDay, time: ListeningTime) {
        (self.episode, self.day, self.time) = (episode, day, time)
    }

    /// Adds the time to the day of the podcast of `episode`; one that is no longer in the library is ignored.
    func add(to db: Database, of episode: Int64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO listening_day (podcast, day, heard, wall, trimmed, sped)
                SELECT podcast, ?, ?, ?, ?, ? FROM episode WHERE id = ? \(ListeningSums.adding)
                """
        ).execute(arguments: [day.number, time.heard, time.wall, time.trimmed, time.sped, episode])
    }
}

/// The listening times of podcasts.
public struct ListeningSums: Sendable, Equatable {
    /// The time of one podcast.
    public struct Entry: Sendable, Equatable {
        /// The podcast; `nil` for all podcasts that are no longer in the library.
        public let podcast: PodcastSummary?
        public let time: ListeningTime
    }

    /// The podcasts with a listening time, the longest first.
    public let entries: [Entry]

    /// The sum.
    public var total: ListeningTime { entries.reduce(ListeningTime()) { $0 + $1.time } }

    /// The end of an `INSERT` that adds to the values of an existing row.
    fileprivate static let adding = """
        ON CONFLICT (podcast, day) DO UPDATE SET heard = heard + excluded.heard, wall = wall + excluded.wall,
            trimmed = trimmed + excluded.trimmed, sped = sped + excluded.sped
        """

    /// Moves the times of podcasts that are not in the library to podcast 0, so that no sum shrinks and the times do
    /// not become those of a new podcast with the same number.
    static func keepFormerPodcasts(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO listening_day (podcast, day, heard, wall, trimmed, sped)
                SELECT 0, day, heard, wall, trimmed, sped FROM listening_day
                WHERE podcast <> 0 AND podcast NOT IN (SELECT id FROM podcast) \(adding);
                DELETE FROM listening_day WHERE podcast <> 0 AND podcast NOT IN (SELECT id FROM podcast)
                """)
    }
}

extension Library {
    /// Returns how long podcasts were heard.
    /// - Parameters:
    ///   - podcast: the podcast; `nil` returns the times of all.
    ///   - day: the first day; `nil` returns the times of all days.
    public func listeningSums(of podcast: Int64? = nil, since day: ListeningDay? = nil) throws(LibraryError)
        -> ListeningSums
    {
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT podcast, sum(heard), sum(wall), sum(trimmed) FROM listening_day
                    WHERE (:podcast IS NULL OR podcast = :podcast) AND (:day IS NULL OR day >= :day)
                    GROUP BY podcast ORDER BY sum(heard) DESC, podcast
                    """, arguments: ["podcast": podcast, "day": day?.number]
            ).map { row in
                (
                    try row[0] as Int64,
                    ListeningTime(heard: try row[1], wall: try row[2], trimmed: try row[3])
                )
            }
        }
        var entries: [ListeningSums.Entry] = []
        for (id, time) in rows {
            entries.append(.init(podcast: id == 0 ? nil : try self.podcast(id), time: time))
        }
        return ListeningSums(entries: entries)
    }
}
