// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// The time by which the library decides what is old enough to be deleted permanently. It follows the wall clock from
/// refresh to refresh, but a jump of the clock does not count: a wrong clock must not empty the trash.
struct CountedTime: Equatable {
    /// The longest time between two refreshes that is not taken for a jump, in seconds.
    static let longestStep: Int64 = 7 * 86_400

    /// The wall clock at the last refresh, in seconds since 1970.
    private(set) var lastRefresh: Int64
    /// The time counted so far, in seconds since 1970.
    private(set) var end: Int64

    init(lastRefresh: Int64, end: Int64) { (self.lastRefresh, self.end) = (lastRefresh, end) }

    /// Counts the time since the last refresh.
    mutating func refresh(at now: Int64) {
        let (step, isAbsurd) = now.subtractingReportingOverflow(lastRefresh)
        lastRefresh = now
        guard !isAbsurd, 0...Self.longestStep ~= step else { return }
        // Twice the time, so that a pause that was taken for a jump is made up for.
        end = max(end, min(now, end.addingClamped(2 * step)))
    }
}

extension Library {
    /// The current time for a row whose age matters, as SQL: a clock that is behind does not make it older.
    static let stamp = "max(wall_clock(), coalesce((SELECT counted_until FROM counted_time), 0))"

    static func stamp(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT \(stamp)") ?? 0
    }

    /// Counts the time since the last refresh. While the library cannot be written, the time is counted in memory.
    public func countTime() throws(LibraryError) {
        try maintain { db in
            try startCounting(db)
            guard var time = try Self.countedTime(db) else { return }
            time.refresh(at: now().secondsSince1970)
            try db.execute(
                sql: "UPDATE counted_time SET refreshed_at = ?, counted_until = ?",
                arguments: [time.lastRefresh, time.end])
        }
    }

    /// Starts counting unless it has started.
    func startCounting(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO counted_time (only, refreshed_at, counted_until)
                VALUES (1, wall_clock(), wall_clock())
                """)
    }

    /// Returns the time counted until now, which is never later than the wall clock.
    public func countedTime() throws(LibraryError) -> UTCTime {
        try read { db in
            let now = now().secondsSince1970
            guard var time = try Self.countedTime(db) else { return UTCTime(secondsSince1970: now) }
            time.refresh(at: now)
            return UTCTime(secondsSince1970: min(now, time.end))
        }
    }

    private static func countedTime(_ db: Database) throws -> CountedTime? {
        try Row.fetchOne(db, sql: "SELECT refreshed_at, counted_until FROM counted_time").map {
            CountedTime(lastRefresh: try $0[0], end: try $0[1])
        }
    }

    /// Returns the latest time, in seconds since 1970, that is at least `age` ago.
    func latest(before age: Duration) throws(LibraryError) -> Int64 {
        try countedTime().secondsSince1970 - age.components.seconds
    }
}
