// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The played ranges of an episode, which neither overlap nor touch.
enum PlayedRanges {
    /// The gap, in microseconds, up to which two ranges are joined, because ticks are not exact.
    private static let slack: Int64 = 250_000

    static func add(_ range: Range<Duration>, to episode: Int64, _ db: Database) throws {
        var (first, last) = (range.lowerBound.microseconds, range.upperBound.microseconds)
        let neighbours = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT first, last FROM listened WHERE episode = ? AND first <= ? AND last >= ?"),
            arguments: [episode, last + slack, first - slack])
        for row in neighbours {
            let start: Int64 = try row[0]
            first = min(first, start)
            last = max(last, try row[1])
            try db.cachedStatement(sql: "DELETE FROM listened WHERE episode = ? AND first = ?")
                .execute(arguments: [episode, start])
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO listened (episode, first, last)
                SELECT :episode, :first, :last WHERE EXISTS (SELECT 1 FROM episode WHERE id = :episode)
                """
        ).execute(arguments: ["episode": episode, "first": first, "last": last])
    }
}

extension PlayedRanges {
    static func ranges(of episode: Int64, _ db: Database) throws -> [Range<Duration>] {
        try Row.fetchAll(
            db, sql: "SELECT first, last FROM listened WHERE episode = ? ORDER BY first", arguments: [episode]
        ).map { row in
            let (first, last): (Int64, Int64) = (try row[0], try row[1])
            return .microseconds(first) ..< .microseconds(max(first, last))
        }
    }
}

extension Library {
    /// Returns the played ranges of an episode, in order.
    public func playedRanges(of episode: Int64) throws(LibraryError) -> [Range<Duration>] {
        try read { db in try PlayedRanges.ranges(of: episode, db) }
    }
}
