// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// The selection and the order of the episodes in a list; the newest come first by default.
public struct EpisodeFilter: Sendable, Equatable {
    /// A state of an episode by which a list can be filtered.
    public enum State: String, Sendable, CaseIterable {
        case unplayed, started, played, downloaded, queued
    }

    /// The podcast; `nil` selects from all subscribed podcasts.
    public var podcast: Int64?
    /// The podcasts; `nil` selects from all subscribed podcasts.
    public var podcasts: Set<Int64>?
    /// The states that an episode must have, all of them.
    public var states: Set<State>
    /// The earliest time of publication, or of the first appearance for episodes without a date.
    public var since: UTCTime?
    public var oldestFirst: Bool
    /// True for episodes that can be played.
    public var hasAudio = false

    public init(
        podcast: Int64? = nil, states: Set<State> = [], since: UTCTime? = nil, oldestFirst: Bool = false
    ) {
        self.podcast = podcast
        self.states = states
        self.since = since
        self.oldestFirst = oldestFirst
    }

    fileprivate var condition: (sql: String, arguments: [any DatabaseValueConvertible]) {
        var terms = [podcast == nil ? EpisodeSummary.isShown : Self.isShownAlone]
        var arguments: [any DatabaseValueConvertible] = []
        if let podcast {
            terms.append("episode.podcast = ?")
            arguments.append(podcast)
        }
        if let podcasts {
            // The numbers come from the library, not from the listener.
            terms.append("episode.podcast IN (\(podcasts.sorted().map(String.init).joined(separator: ", ")))")
        }
        if let since {
            terms.append("episode.sorted_at >= ?")
            arguments.append(since.secondsSince1970)
        }
        if hasAudio { terms.append(Self.isPlayable) }
        terms += states.sorted { $0.rawValue < $1.rawValue }.map(Self.condition)
        return (terms.joined(separator: " AND "), arguments)
    }

    /// The condition for the episodes of a given podcast, which need not be subscribed to.
    private static let isShownAlone = "(episode.left_at IS NULL OR \(EpisodeSummary.isTouched))"

    /// The condition of `EpisodeSummary.hasAudio`.
    private static let isPlayable = """
        (episode.enclosure_url IS NOT NULL
        OR download.removed_at IS NULL AND download.state IN ('complete', 'partial'))
        """

    /// Returns the condition for a state, based on the few rows that the listener's actions created, not on all
    /// episodes.
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
    /// Returns the episodes that match the filter.
    /// - Returns: at most `limit` episodes, and whether there are more.
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
                    """, arguments: StatementArguments(arguments + [limit + 1, offset])
            ).map(EpisodeSummary.init(row:))
        }
        return (Array(all.prefix(limit)), all.count > limit)
    }

    /// Returns an episode.
    /// - Throws: `missing` if the episode does not exist.
    public func episode(_ id: Int64) throws(LibraryError) -> EpisodeSummary {
        guard let episode = try episodes(numbered: [id]).first else {
            throw LibraryError(.missing, "there is no episode \(id)")
        }
        return episode
    }

    /// Returns the episodes in the order of `ids`, without those that do not exist.
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
