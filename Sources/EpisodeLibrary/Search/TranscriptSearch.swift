// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// A passage of a transcript that contains searched words.
public struct TranscriptHit: Sendable, Equatable {
    public let episode: EpisodeSummary
    /// The time of the cue with the first word, from the beginning of the episode; `nil` if the transcript has no
    /// times.
    public let time: Range<Duration>?
    public let speaker: String?
    /// The sentence around the words.
    public let sentence: String
    public let timing: TranscriptTiming
}

extension Library {
    /// Returns the passages of transcripts that contain all the words near each other: first those with the words in
    /// this order and side by side, then the others; each time the newest episode first. The last word may be a prefix.
    /// - Parameters:
    ///   - words: the words as the listener typed them, without a query syntax.
    ///   - episode: the only episode to search; `nil` searches all subscribed podcasts, and returns at most three
    ///     passages of an episode.
    public func searchTranscripts(
        _ words: String, in episode: Int64? = nil, limit: Int
    ) throws(LibraryError) -> [TranscriptHit] {
        guard let query = SearchQuery(words) else { return [] }
        return try read { db in
            var search = TranscriptSearch(db, episode: episode, limit: limit)
            for query in query.nearQueries(within: TranscriptSearch.distance) { try search.add(query) }
            return search.hits
        }
    }
}

/// The search of one query.
private struct TranscriptSearch {
    /// The most words between two searched words: about 12 seconds of speech.
    static let distance = 32
    /// The number of latest episodes to consider.
    private static let mostEpisodes = 200
    private static let mostOfEpisode = 3

    private let db: Database
    private let episode: Int64?
    private let limit: Int
    private(set) var hits: [TranscriptHit] = []
    private var transcripts: [Int64: IndexedTranscript] = [:]
    /// The sentences found in each episode, by their first cues.
    private var found: [Int64: Set<Int>] = [:]

    init(_ db: Database, episode: Int64?, limit: Int) { (self.db, self.episode, self.limit) = (db, episode, limit) }

    mutating func add(_ query: SearchQuery.NearQuery) throws {
        guard hits.count < limit else { return }
        let condition = episode == nil ? EpisodeSummary.isShown : "episode.id = :episode"
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, places FROM (
                    SELECT episode.id, sorted_at, token_places(transcript_words) AS places FROM transcript_words
                    -- CROSS: from the few that have the words, the latest first.
                    CROSS JOIN episode ON episode.id = transcript_words.rowid
                    CROSS JOIN podcast ON podcast.id = episode.podcast
                    WHERE transcript_words MATCH :query AND \(condition)
                    ORDER BY transcript_words.rowid DESC LIMIT :most
                ) ORDER BY sorted_at DESC, id DESC
                """, arguments: ["query": query.expression, "most": Self.mostEpisodes, "episode": episode])
        for row in rows where hits.count < limit {
            let places: String = try row[1]
            try add(try row[0], places.split(separator: " ").compactMap { Int($0) }, query.distance)
        }
    }

    private mutating func add(_ id: Int64, _ places: [Int], _ distance: Int) throws {
        let most = episode == nil ? Self.mostOfEpisode : limit
        guard found[id, default: []].count < most, let transcript = try transcript(of: id) else { return }
        var rest = places[...]
        while let first = rest.first, hits.count < limit, found[id, default: []].count < most {
            let last = rest.last { $0 - first <= distance } ?? first
            let passage = transcript.passage(from: first, to: last)
            rest = rest.dropFirst().drop { $0 < passage.words.upperBound }
            guard found[id, default: []].insert(passage.words.lowerBound).inserted else { continue }
            hits.append(
                TranscriptHit(
                    episode: transcript.summary, time: passage.time, speaker: passage.speaker, sentence: passage.text,
                    timing: transcript.timing))
        }
    }

    private mutating func transcript(of id: Int64) throws -> IndexedTranscript? {
        if let known = transcripts[id] { return known }
        let transcript = try IndexedTranscript.fetch(id, db)
        transcripts[id] = transcript
        return transcript
    }
}
