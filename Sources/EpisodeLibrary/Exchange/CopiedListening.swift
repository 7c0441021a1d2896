// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

extension LibraryCopy {
    /// How long a podcast was heard on one day.
    public struct Listening: Sendable, Equatable {
        public var day: ListeningDay
        public var time: ListeningTime

        public init(day: ListeningDay, time: ListeningTime) { (self.day, self.time) = (day, time) }
    }
}

extension Library {
    /// Returns the days on which a podcast was heard, ascending.
    /// - Parameter podcast: `nil` for the podcasts that are no longer in the library.
    public func listeningDays(of podcast: Int64?) throws(LibraryError) -> [LibraryCopy.Listening] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT day, heard, wall, trimmed FROM listening_day WHERE podcast = ? ORDER BY day",
                arguments: [podcast ?? 0]
            ).map { row in
                LibraryCopy.Listening(
                    day: ListeningDay(try row[0] as Int64),
                    time: ListeningTime(heard: try row[1], wall: try row[2], trimmed: try row[3]))
            }
        }
    }
}

extension Restoring {
    /// Takes the times of days on which the podcast was heard longer than in this library. They are not added up: a
    /// second import would count them twice.
    mutating func restore(_ listening: [LibraryCopy.Listening], of podcast: Int64) throws {
        for entry in listening {
            try db.execute(
                sql: """
                    INSERT INTO listening_day (podcast, day, heard, wall, trimmed, sped) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (podcast, day) DO UPDATE SET heard = excluded.heard, wall = excluded.wall,
                        trimmed = excluded.trimmed, sped = excluded.sped
                    WHERE excluded.heard > heard
                    """,
                arguments: [
                    podcast, entry.day.number, entry.time.heard, entry.time.wall, entry.time.trimmed, entry.time.sped,
                ])
            restored.listeningDays += db.changesCount
        }
    }

    /// Takes the listener's corrections of the transcript's times, unless there is one.
    mutating func restore(_ shifts: TranscriptShifts, of episode: Int64) throws {
        guard !shifts.steps.isEmpty, try TranscriptShift.fetch(episode, db).steps.isEmpty else { return }
        try TranscriptShift.insert(shifts, episode, db)
        restored.transcriptShifts += 1
    }
}
