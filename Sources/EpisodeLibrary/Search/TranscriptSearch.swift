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
            try add(try row[0], places.split(separator: " ").compactMap { Match($0, of: query) }, query)
        }
    }

    private mutating func add(_ id: Int64, _ matches: [Match], _ query: SearchQuery.NearQuery) throws {
        let most = episode == nil ? Self.mostOfEpisode : limit
        guard found[id, default: []].count < most, let transcript = try transcript(of: id) else { return }
        var rest = matches[...]
        while let (first, last) = Match.closest(in: rest, query), hits.count < limit,
            found[id, default: []].count < most
        {
            let passage = transcript.passage(from: first, to: last)
            rest = rest.drop { $0.place <= first || $0.place < passage.words.upperBound }
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

/// A match of one of the searched words.
private struct Match {
    /// The number of words before it.
    let place: Int
    /// The number of the searched word.
    let word: Int

    /// The most words of a match: in scripts without blanks, a searched word is several words of the index.
    private static let longest = 16

    init?(_ text: Substring, of query: SearchQuery.NearQuery) {
        let parts = text.split(separator: "/").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        // Each alternative of the query has all phrases.
        (place, word) = (parts[0], parts[1] % query.phrases)
    }

    /// Returns the places of the first and the last of the first matches that contain all words, as near each other as
    /// possible; `nil` if there are none.
    static func closest(in matches: ArraySlice<Match>, _ query: SearchQuery.NearQuery) -> (first: Int, last: Int)? {
        var counts = [Int](repeating: 0, count: query.phrases)
        var start = matches.startIndex
        for end in matches.indices {
            counts[matches[end].word] += 1
            while counts.allSatisfy({ $0 > 0 }) {
                let (first, last) = (matches[start], matches[end])
                if counts[first.word] == 1, last.place - first.place <= query.distance + longest {
                    return (first.place, last.place)
                }
                counts[first.word] -= 1
                start += 1
            }
        }
        return nil
    }
}
