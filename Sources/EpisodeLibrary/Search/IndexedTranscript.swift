// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import SQLDatabase

/// A transcript with the places of its cues in the search index.
struct IndexedTranscript {
    /// The sentence around words that were found.
    struct Passage {
        let words: Range<Int>
        let time: Range<Duration>?
        let speaker: String?
        let text: String
    }

    let summary: EpisodeSummary
    let timing: TranscriptTiming
    private let transcript: Transcript
    /// For each cue, the number of words up to its end.
    private let ends: [Int]

    /// - Returns: `nil` if the index does not contain the transcript.
    /// - Throws: `DatabaseError` for a damaged row.
    static func fetch(_ episode: Int64, _ db: Database) throws -> IndexedTranscript? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT * FROM transcript WHERE episode = ? AND indexed = \(SearchIndex.version)"),
            arguments: [episode])
        guard let row, let summary = try EpisodeSummary.fetch([episode], db).first else { return nil }
        let cues = try TranscriptRecord(row: row).cueList()
        guard let counts = try NumberList.numbers(row["words"]), counts.count == cues.count else {
            throw TranscriptRecord.damage
        }
        var sum: UInt64 = 0
        let ends = counts.map { count in
            sum = min(sum + min(count, mostWords), mostWords)
            return Int(sum)
        }
        let transcript = Transcript(cues: cues).shifted(by: try TranscriptShift.fetch(episode, db))
        let evidence = try TranscriptEvidence.fetch(episode, version: row["version"], db)
        return IndexedTranscript(
            summary: summary, timing: evidence.timing(in: evidence.known, lastStart: transcript.cues.last?.start),
            transcript: transcript, ends: ends)
    }

    /// More words than any transcript has.
    private static let mostWords: UInt64 = 1 << 32

    /// The size from which a cue is a paragraph of several sentences, in bytes.
    private static let paragraphBytes = 240

    /// Returns the sentence that contains the words from `first` to `last`.
    func passage(from first: Int, to last: Int) -> Passage {
        let start = cue(ofWord: first)
        let range = transcript.sentence(around: start...max(start, cue(ofWord: last)))
        let words = begin(of: range.lowerBound)..<max(begin(of: range.lowerBound), ends[range.upperBound])
        let text = transcript.text(of: range)
        let cue = transcript.cues[start]
        let isParagraph = range.count == 1 && text.utf8.count > Self.paragraphBytes
        let sentence =
            isParagraph ? Self.sentence(in: text, words, after: nameCount(of: start), with: first) : (words, text)
        return Passage(words: sentence.0, time: cue.time, speaker: cue.speaker, text: sentence.1)
    }

    private func begin(of cue: Int) -> Int { cue > 0 ? ends[cue - 1] : 0 }

    /// Returns the first cue that ends after a word, else the last one.
    private func cue(ofWord word: Int) -> Int { ends.dropLast().partitioningIndex { $0 > word } }

    /// Returns the number of words of the name before a cue.
    private func nameCount(of cue: Int) -> Int {
        let former = cue > 0 ? transcript.cues[cue - 1].speaker : nil
        return TranscriptWords.count(TranscriptWords.name(of: transcript.cues[cue].speaker, after: former))
    }

    /// Returns the sentence of a paragraph that contains a word.
    /// - Parameter nameCount: the number of words before the text; they count as words of the first sentence.
    private static func sentence(
        in text: String, _ words: Range<Int>, after nameCount: Int, with word: Int
    ) -> (Range<Int>, String) {
        var (start, end) = (words.lowerBound, words.lowerBound + nameCount)
        for sentence in Transcript.sentences(in: text) {
            end += TranscriptWords.count(SearchWords.text(String(sentence)))
            if word < end { return (start..<end, String(sentence)) }
            start = end
        }
        return (words, text)
    }
}
