// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
public import Podcasts

/// Which episodes a list shows, the newest first.
public struct EpisodeFilter: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        case unplayed, started, played, downloaded, queued
    }

    /// Nil: of all that are subscribed to.
    public var podcast: Int64?
    /// All of them must hold.
    public var states: Set<State>
    /// Published, or seen where no date is given, at that time or later.
    public var since: UTCTime?
    public var oldestFirst: Bool

    public init(
        podcast: Int64? = nil, states: Set<State> = [], since: UTCTime? = nil, oldestFirst: Bool = false
    ) {
        self.podcast = podcast
        self.states = states
        self.since = since
        self.oldestFirst = oldestFirst
    }

    fileprivate var condition: (sql: String, arguments: StatementArguments) {
        var terms = [podcast == nil ? EpisodeSummary.isShown : Self.isShownAlone]
        var arguments: [any DatabaseValueConvertible] = []
        if let podcast {
            terms.append("episode.podcast = ?")
            arguments.append(podcast)
        }
        if let since {
            terms.append("episode.sorted_at >= ?")
            arguments.append(since.secondsSince1970)
        }
        terms += states.sorted { $0.rawValue < $1.rawValue }.map(Self.condition)
        return (terms.joined(separator: " AND "), StatementArguments(arguments))
    }

    /// A podcast that is named is shown although it is not subscribed to any more.
    private static let isShownAlone = "(episode.left_at IS NULL OR \(EpisodeSummary.isTouched))"

    /// By the few that the listener touched, not by all that there are.
    private static func condition(_ state: State) -> String {
        switch state {
        case .unplayed: "playback.finished_at IS NULL"
        case .started:
            "episode.id IN (SELECT episode FROM playback WHERE position > 0 AND finished_at IS NULL)"
        case .played: "episode.id IN (SELECT episode FROM playback WHERE finished_at IS NOT NULL)"
        case .downloaded:
            "episode.id IN (SELECT episode FROM download WHERE state = 'complete' AND removed_at IS NULL)"
        case .queued: "episode.id IN (SELECT episode FROM queue_entry)"
        }
    }
}

extension Library {
    /// - Returns: at most `limit`, and whether there are more.
    public func episodes(
        _ filter: EpisodeFilter = EpisodeFilter(), limit: Int, offset: Int = 0
    ) throws(LibraryError) -> (episodes: [EpisodeSummary], hasMore: Bool) {
        let (condition, arguments) = filter.condition
        let direction = filter.oldestFirst ? "ASC" : "DESC"
        let all = try read { db in
            try Row.fetchAll(
                db,
                sql: EpisodeSummary.query + """
                    WHERE \(condition) ORDER BY episode.sorted_at \(direction), episode.id \(direction) LIMIT ? OFFSET ?
                    """, arguments: arguments + [limit + 1, offset]
            ).map(EpisodeSummary.init(row:))
        }
        return (Array(all.prefix(limit)), all.count > limit)
    }

    public func episode(_ id: Int64) throws(LibraryError) -> EpisodeSummary {
        guard let episode = try episodes(numbered: [id]).first else {
            throw LibraryError(.missing, "there is no episode \(id)")
        }
        return episode
    }

    /// In the order of the numbers; without those that do not exist.
    public func episodes(numbered ids: [Int64]) throws(LibraryError) -> [EpisodeSummary] {
        try read { db in try EpisodeSummary.fetch(ids, db) }
    }
}

extension EpisodeSummary {
    static func fetch(_ ids: [Int64], _ db: Database) throws -> [EpisodeSummary] {
        let statement = try db.cachedStatement(sql: query + "WHERE episode.id = ?")
        return try ids.compactMap { try Row.fetchOne(statement, arguments: [$0]).map(EpisodeSummary.init(row:)) }
    }
}
