// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import SQLDatabase

/// The merge of one document within its transaction.
struct MergeTransaction {
    private let db: Database
    private let podcast: Int64
    private let now: Int64
    /// The evidence of the document's episodes; each has its content digest.
    var incoming: [EpisodeEvidence] = []
    private var outcome = EpisodeMatcher.Outcome(ids: [], reasons: [])
    private var known = KnownEpisodes([])
    /// The known episodes that had left the feed.
    private var absent: Set<Int64> = []
    /// The episodes with later audio.
    private(set) var replaced: [Int64] = []
    private(set) var report = FeedMerge.Report()

    init(_ db: Database, podcast: Int64, now: Int64) throws {
        (self.db, self.podcast, self.now) = (db, podcast, now)
        guard try Bool.fetchOne(db, sql: "SELECT 1 FROM podcast WHERE id = ?", arguments: [podcast]) != nil else {
            throw LibraryError(.missing, "the podcast \(podcast) is no longer in the library")
        }
    }

    /// Matches the document's episodes with the known ones.
    mutating func match() throws {
        try loadKnown()
        restoreEvidence()
        outcome = EpisodeMatcher.match(incoming, with: known.list, aliases: try aliases())
        for union in outcome.unions { try EpisodeUnion.unite(db, union.from, into: union.into) }
        try rememberAliases()
        try seeAgain()
        replaced = ReplacedIssues.find(incoming, outcome.ids) { known[$0] }
    }

    private mutating func loadKnown() throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT id, guid_key, enclosure_key, title_key, published, duration, content_key, left_at
                    FROM episode WHERE podcast = ?
                    """), arguments: [podcast])
        var list: [EpisodeMatcher.Known] = []
        while let row = try rows.next() {
            let evidence = try EpisodeEvidence(
                guid: row[1], enclosure: row[2], title: row[3], published: row[4], duration: row[5], content: row[6])
            list.append(EpisodeMatcher.Known(id: try row[0], evidence: evidence))
            let left: Int64? = try row[7]
            if left != nil { absent.insert(try row[0]) }
        }
        list.sort { $0.id < $1.id }
        known = KnownEpisodes(list)
    }

    /// Restores the evidence of unchanged episodes, of which only the GUID was read. They are identified by the
    /// content digest, because several may have that GUID.
    private mutating func restoreEvidence() {
        let owners = KeyIndex(known.list, \.evidence.content)
        for index in incoming.indices where incoming[index].isGUIDAlone {
            let owner = incoming[index].content.flatMap { owners[$0].last }
            if let owner { incoming[index] = known.list[owner].evidence }
        }
    }

    private func aliases() throws -> [EpisodeMatcher.Kind: [Int64: Int64]] {
        var aliases: [EpisodeMatcher.Kind: [Int64: Int64]] = [:]
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT kind, key, episode FROM alias WHERE podcast = ?"), arguments: [podcast])
        while let row = try rows.next() {
            if let kind = EpisodeMatcher.Kind(rawValue: try row[0]) {
                aliases[kind, default: [:]][try row[1]] = try row[2] as Int64
            }
        }
        return aliases
    }

    /// Stores the former keys of an episode as aliases if no other episode had them.
    private func rememberAliases() throws {
        try rememberAliases(.guid, \.guid)
        try rememberAliases(.enclosure, \.enclosure)
    }

    private func rememberAliases(
        _ kind: EpisodeMatcher.Kind, _ key: KeyPath<EpisodeEvidence, Int64?>
    ) throws {
        let owners = KeyIndex(known.list) { $0.evidence[keyPath: key] }
        for (episode, id) in zip(incoming, outcome.ids) {
            guard let former = id.flatMap({ known[$0]?[keyPath: key] }), owners[former].count == 1,
                let id, former != episode[keyPath: key]
            else { continue }
            try remember(kind, former, of: id)
        }
    }

    private func remember(_ kind: EpisodeMatcher.Kind, _ key: Int64, of id: Int64) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO alias (podcast, kind, key, episode) VALUES (?, ?, ?, ?)")
            .execute(arguments: [podcast, kind.rawValue, key, id])
    }

    private mutating func seeAgain() throws {
        for id in outcome.ids.compactMap({ $0 }) where absent.contains(id) {
            try db.execute(sql: "UPDATE episode SET left_at = NULL WHERE id = ?", arguments: [id])
        }
    }

    // MARK: Content

    /// Stores new and changed episodes, the last of the document first, so that the newest gets the highest number.
    mutating func store(_ episodes: [(index: Int, content: EpisodeContent)]) throws {
        for (index, content) in episodes.reversed() {
            let episode = incoming[index]
            if let id = outcome.ids[index] {
                guard known[id]?.content != episode.content else { continue }
                try update(id, episode, content, outcome.reasons[index])
                report.changed += 1
            } else if outcome.reasons[index] != .absorbed {
                report.new.append(try insert(episode, content))
            }
        }
    }

    private func keys(_ episode: EpisodeEvidence) -> [(any DatabaseValueConvertible)?] {
        [episode.guid, episode.enclosure, episode.title, episode.content]
    }

    /// Returns the time for sorting. A date in the future is a mistake or an advertisement: such an episode is sorted
    /// by the time of its first appearance.
    private func sortingTime(_ episode: EpisodeEvidence) -> Int64 { pastDate(episode) ?? now }

    private func pastDate(_ episode: EpisodeEvidence) -> Int64? { episode.published.flatMap { $0 > now ? nil : $0 } }

    private func insert(_ episode: EpisodeEvidence, _ content: EpisodeContent) throws -> Int64 {
        let columns = EpisodeContent.columns.joined(separator: ", ")
        let marks = databaseQuestionMarks(count: 8 + EpisodeContent.columns.count)
        let keys = keys(episode)
        let rest: [(any DatabaseValueConvertible)?] = [
            EpisodeMatcher.Reason.new.rawValue, sortingTime(episode), podcast,
        ]
        try db.cachedStatement(
            sql: """
                INSERT INTO episode (\(columns), guid_key, enclosure_key, title_key, content_key, identity,
                    sorted_at, podcast, indexed, first_seen_at)
                VALUES (\(marks), \(Library.stamp))
                """
        )
        .execute(arguments: StatementArguments(content.row + keys + rest + [0]))
        let number = db.lastInsertedRowID
        try db.cachedStatement(sql: "INSERT INTO episode_notes (episode, summary, html, details) VALUES (?, ?, ?, ?)")
            .execute(arguments: StatementArguments([number] + content.notes))
        if let details = content.details { try ChapterDocumentTable.update(number, details: details, db) }
        return number
    }

    private func update(
        _ id: Int64, _ episode: EpisodeEvidence, _ content: EpisodeContent, _ reason: EpisodeMatcher.Reason
    ) throws {
        try SearchIndex.remove(id, db)
        let columns = EpisodeContent.columns.map { "\($0) = ?" }.joined(separator: ", ")
        let keys = keys(episode)
        let rest: [(any DatabaseValueConvertible)?] = [reason.rawValue, pastDate(episode)]
        try db.cachedStatement(
            sql: """
                UPDATE episode SET \(columns), guid_key = ?, enclosure_key = ?, title_key = ?, content_key = ?,
                    identity = ?, sorted_at = coalesce(?, sorted_at), indexed = 0
                WHERE id = ?
                """
        )
        .execute(arguments: StatementArguments(content.row + keys + rest + [id]))
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO episode_notes (episode, summary, html, details) VALUES (?, ?, ?, ?)"
        ).execute(arguments: StatementArguments([id] + content.notes))
        try ChapterDocumentTable.update(id, details: content.details, db)
    }

    // MARK: Completion

    mutating func finish(_ feed: ParsedFeed, isComplete: Bool) throws {
        report.new.reverse()
        report.unchanged = incoming.count - report.new.count - report.changed
        // An empty or incomplete document does not show which episodes have left the feed.
        if isComplete, !feed.isTruncated, !incoming.isEmpty { try leave() }
        try PodcastContent.update(db, podcast, feed)
    }

    private mutating func leave() throws {
        let seen = Set(outcome.ids.compactMap { $0 }).union(outcome.unions.map(\.from))
        for episode in known.list where !absent.contains(episode.id) && !seen.contains(episode.id) {
            try db.cachedStatement(sql: "UPDATE episode SET left_at = \(Library.stamp) WHERE id = ?")
                .execute(arguments: [episode.id])
            report.left += 1
        }
    }
}
