// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// A part of a long list of episodes, for a screen that shows a page of it.
public struct EpisodePart: Sendable, Equatable {
    /// The list.
    public enum Source: Sendable, Equatable {
        /// All episodes of subscribed podcasts, newest first.
        case all
        case podcast(Int64)
        /// The unplayed episodes of all podcasts, newest first.
        case unplayed
        /// The queue, in its order.
        case queue
        /// Downloads outside the trash, the latest request first.
        case downloads
    }

    public let episodes: [EpisodeSummary]
    /// The index of the first episode in the whole list.
    public let start: Int
    /// The number of episodes in the whole list; that of `episodes` if the list was not counted.
    public let total: Int

    init(episodes: [EpisodeSummary], start: Int, total: Int) {
        (self.episodes, self.start, self.total) = (episodes, start, total)
    }
}

extension Library {
    /// Returns a part of a list.
    /// - Parameters:
    ///   - words: words that the title of the episode or of its podcast must contain, in any case.
    ///   - start: the index of the first episode; the part after the end is the last part.
    ///   - middle: an episode that should be in the middle of the part; `start` counts if the list lacks it.
    ///   - count: the most episodes.
    ///   - isCounted: false to read the part only: to count a long list takes longer.
    public func part(
        of source: EpisodePart.Source, containing words: String = "", from start: Int, around middle: Int64? = nil,
        count: Int, isCounted: Bool = true
    ) throws(LibraryError) -> EpisodePart {
        let query = PartQuery(source, words)
        return try read { db in
            let total = isCounted ? try query.total(db) : nil
            let place = try middle.flatMap { try query.index(of: $0, db) }.map { $0 - count / 2 } ?? start
            let first = max(0, min(place, total.map { $0 - count } ?? place))
            let rows = try Row.fetchAll(
                db,
                sql: EpisodeSummary.query
                    + "WHERE \(query.condition) ORDER BY \(query.order) LIMIT \(max(0, count)) OFFSET \(first)",
                arguments: query.arguments)
            return EpisodePart(
                episodes: try rows.map(EpisodeSummary.init(row:)), start: first,
                total: total ?? first + rows.count)
        }
    }

    /// Returns the number of unplayed episodes of all podcasts, and the number of downloads outside the trash.
    public func shownCounts() throws(LibraryError) -> (unplayed: Int, downloads: Int) {
        try read { db in
            let unplayed = try PartQuery(.unplayed, "").total(db)
            return (unplayed, try PartQuery(.downloads, "").total(db))
        }
    }
}

/// The parts of the statements that read a list.
private struct PartQuery {
    let source: EpisodePart.Source
    let hasWords: Bool
    let condition: String
    let arguments: StatementArguments

    init(_ source: EpisodePart.Source, _ words: String) {
        self.source = source
        let patterns = words.split(whereSeparator: \.isWhitespace).prefix(16).map(String.init)
        hasWords = !patterns.isEmpty
        let terms = patterns.map { word in
            // SQLite ignores the case of ASCII letters only.
            let forms = Set([
                word, word.lowercased(), word.uppercased(), word.prefix(1).uppercased() + word.dropFirst(),
            ])
            return forms.sorted().map { form in
                let pattern =
                    "%\(form.replacing("!", with: "!!").replacing("%", with: "!%").replacing("_", with: "!_"))%"
                return ("(\(Self.title) LIKE ? ESCAPE '!')", pattern)
            }
        }
        condition = ([Self.condition(source)] + terms.map { "(\($0.map(\.0).joined(separator: " OR ")))" })
            .joined(separator: " AND ")
        arguments = StatementArguments(terms.flatMap { $0.map(\.1) })
    }

    private static let title =
        "coalesce(episode.title, '') || ' ' || coalesce(podcast.own_title, podcast.title, '')"

    private static func condition(_ source: EpisodePart.Source) -> String {
        switch source {
        case .all: EpisodeSummary.isShown
        case .podcast(let id):
            "episode.podcast = \(id) AND (episode.left_at IS NULL OR \(EpisodeSummary.isTouched))"
        case .unplayed: "\(EpisodeSummary.isShown) AND playback.finished_at IS NULL"
        case .queue: "queue_entry.episode IS NOT NULL"
        case .downloads: "download.episode IS NOT NULL AND download.removed_at IS NULL"
        }
    }

    var order: String {
        switch source {
        case .all, .podcast, .unplayed: "episode.sorted_at DESC, episode.id DESC"
        case .queue: "rank"
        case .downloads: "download.wanted_at DESC, episode.id DESC"
        }
    }

    /// The key by which the list is sorted in ascending order.
    private var key: String {
        switch source {
        case .all, .podcast, .unplayed: "(-episode.sorted_at, -episode.id)"
        case .queue: "(rank, 0)"
        case .downloads: "(-download.wanted_at, -episode.id)"
        }
    }

    /// The number of episodes of the list.
    func total(_ db: Database) throws -> Int {
        if !hasWords, let total = try quickTotal(db) { return total }
        return try Int.fetchOne(db, sql: "SELECT count(*) \(tables) WHERE \(condition)", arguments: arguments) ?? 0
    }

    /// Returns the number of episodes of a long list, counted in one index; `nil` for other lists.
    private func quickTotal(_ db: Database) throws -> Int? {
        guard source == .all || source == .unplayed else { return nil }
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), coalesce(sum(left_at IS NOT NULL), 0) FROM episode INDEXED BY episode_of_podcast
                WHERE podcast NOT IN (SELECT id FROM podcast WHERE unsubscribed_at IS NOT NULL)
                """)
        guard let row else { return nil }
        let (all, gone) = (try row[0] as Int, try row[1] as Int)
        let kept = gone == 0 ? 0 : try Self.touchedAmongGone(isUnplayed: source == .unplayed, db)
        return all - gone + kept - (source == .unplayed ? try Self.finishedAmongPresent(db) : 0)
    }

    private static func finishedAmongPresent(_ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM playback CROSS JOIN episode ON episode.id = playback.episode
                CROSS JOIN podcast ON podcast.id = episode.podcast
                WHERE finished_at IS NOT NULL AND left_at IS NULL AND unsubscribed_at IS NULL
                """) ?? 0
    }

    /// Returns the number of episodes that have left their feeds but are still shown.
    private static func touchedAmongGone(isUnplayed: Bool, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM (\(EpisodeSummary.touched)) AS touched
                CROSS JOIN episode ON episode.id = touched.episode
                CROSS JOIN podcast ON podcast.id = episode.podcast
                WHERE left_at IS NOT NULL AND unsubscribed_at IS NULL
                \(isUnplayed ? "AND episode.id NOT IN (\(finished))" : "")
                """) ?? 0
    }

    private static let finished = "SELECT episode FROM playback WHERE finished_at IS NOT NULL"

    /// A short list is read from its own table.
    private var tables: String {
        switch source {
        case .queue:
            "FROM queue_entry CROSS JOIN episode ON episode.id = queue_entry.episode "
                + "CROSS JOIN podcast ON podcast.id = episode.podcast"
        case .downloads:
            "FROM download CROSS JOIN episode ON episode.id = download.episode "
                + "CROSS JOIN podcast ON podcast.id = episode.podcast"
        case .all, .podcast, .unplayed: EpisodeSummary.tables
        }
    }

    /// Returns the index of an episode; `nil` if the list lacks it.
    func index(of episode: Int64, _ db: Database) throws -> Int? {
        let isListed = try Bool.fetchOne(
            db, sql: "SELECT 1 \(EpisodeSummary.tables) WHERE episode.id = \(episode) AND \(condition)",
            arguments: arguments)
        guard isListed != nil else { return nil }
        return try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) \(EpisodeSummary.tables) WHERE \(condition) AND \(key) < (
                    SELECT \(key.dropFirst().dropLast()) \(EpisodeSummary.tables) WHERE episode.id = \(episode)
                )
                """, arguments: arguments)
    }
}
