// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
public import Media
import SQLDatabase

/// A transcript of an episode in the library.
public struct StoredTranscript: Sendable, Equatable {
    /// The transcript with the times that the listener corrected.
    public internal(set) var transcript: Transcript
    /// The URL of the document.
    public let url: String
    /// The version of the audio to which the times belong; `nil` if it is unknown.
    public let version: String?
    public let storedAt: UTCTime
    /// The listener's corrections, which the times include.
    public let shifts: TranscriptShifts
    let evidence: TranscriptEvidence

    /// Returns the transcript as lines of text, with the time of each paragraph.
    /// - Parameter width: the number of columns of a line.
    public func lines(width: Int) -> [String] {
        transcript.lines(width: width, timeMark: timing == .approximate ? "~" : "")
    }

    /// The agreement with the audio that was downloaded or played last.
    public var timing: TranscriptTiming { timing(in: evidence.known) }

    /// Returns the agreement of the times with a version of the audio.
    public func timing(in audio: AudioVersion) -> TranscriptTiming {
        evidence.timing(in: audio, lastStart: transcript.cues.last?.start)
    }
}

extension Library {
    /// Stores a transcript in place of the present one, and adds it to the search index.
    /// - Throws: `missing` if the episode does not exist; `invalid` if the transcript has no cues.
    public func store(
        _ transcript: Transcript, of episode: Int64, from url: String, version: String? = nil
    ) throws(LibraryError) {
        guard !transcript.cues.isEmpty else { throw LibraryError(.invalid, "the transcript is empty") }
        let record = TranscriptRecord(transcript)
        let words = TranscriptWords(record)
        try write { db in
            guard try Bool.fetchOne(db, sql: "SELECT 1 FROM episode WHERE id = ?", arguments: [episode]) != nil else {
                throw LibraryError(.missing, "there is no episode \(episode)")
            }
            try TranscriptIndex.remove(episode, db)
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO transcript
                        (episode, url, version, language, stored_at, texts, cues, speakers)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    episode, url, version, transcript.language, now().secondsSince1970, record.texts, record.cues,
                    record.speakers,
                ])
            try TranscriptIndex.add(episode, words, db)
        }
    }

    /// Returns the transcript of an episode; `nil` if none is stored.
    public func transcript(of episode: Int64) throws(LibraryError) -> StoredTranscript? {
        try read { db in
            let row = try Row.fetchOne(db, sql: "SELECT * FROM transcript WHERE episode = ?", arguments: [episode])
            return try row.map { row in
                let shifts = try TranscriptShift.fetch(episode, db)
                let document = Transcript(cues: try TranscriptRecord(row: row).cueList(), language: try row["language"])
                return StoredTranscript(
                    transcript: document.shifted(by: shifts), url: try row["url"], version: try row["version"],
                    storedAt: UTCTime(secondsSince1970: try row["stored_at"]), shifts: shifts,
                    evidence: try TranscriptEvidence.fetch(episode, version: row["version"], db))
            }
        }
    }

    /// Returns the version of an episode's complete file if it is the version that the feed describes.
    public func versionOfFeed(of episode: Int64) throws(LibraryError) -> String? {
        try read { db in
            let audio = try TranscriptEvidence.fetch(episode, version: nil, db)
            guard let length = audio.claimed.length, length == audio.known.length else { return nil }
            return AudioVersion.name(length: length)
        }
    }

    /// True if a transcript of the episode is stored.
    public func hasTranscript(of episode: Int64) throws(LibraryError) -> Bool {
        try read { db in
            try Bool.fetchOne(db, sql: "SELECT 1 FROM transcript WHERE episode = ?", arguments: [episode]) ?? false
        }
    }

    /// Removes the transcript of an episode and the correction of its times; does nothing if none is stored.
    public func removeTranscript(of episode: Int64) throws(LibraryError) {
        try write { db in try TranscriptIndex.removeTranscript(of: episode, db) }
    }

    /// Returns the links of the feed to transcripts of an episode.
    public func transcriptLinks(of episode: Int64) throws(LibraryError) -> [ParsedTranscript] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT value ->> 'url' AS url, value ->> 'type' AS type, value ->> 'language' AS language
                    FROM episode_notes, json_each(details, '$.transcripts') WHERE episode = ? ORDER BY json_each.key
                    """, arguments: [episode]
            ).map { ParsedTranscript(url: try $0["url"], type: try $0["type"], language: try $0["language"]) }
        }
    }
}
