// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// All information about one episode.
public struct EpisodeRecord: Sendable, Equatable {
    public let summary: EpisodeSummary
    public let podcast: PodcastSummary
    public let notes: EpisodeNotes
    /// The lists of chapters outside the audio file.
    public let chapterLists: [ChapterList]
    /// The position; `nil` if the episode was never played.
    public let position: PlaybackPosition?
    public let listened: [Range<Duration>]
    /// The bookmarks, ordered by their position in the episode.
    public let bookmarks: [Bookmark]
    /// The position in the queue, from 1.
    public let queuePlace: Int?
    /// The download, even if it is in the trash.
    public let download: Download?
    public let transcript: TranscriptPresence
}

/// The place of an episode's transcript.
public enum TranscriptPresence: Sendable, Equatable {
    /// The library has it.
    case stored
    /// The feed links to it.
    case offered
    /// There is no transcript.
    case missing
}

extension Library {
    /// Returns all information about an episode.
    public func record(of episode: Int64) throws(LibraryError) -> EpisodeRecord {
        let summary = try self.episode(episode)
        return EpisodeRecord(
            summary: summary, podcast: try podcast(summary.podcast), notes: try notes(of: episode),
            chapterLists: try chapterLists(of: episode),
            position: try position(of: episode), listened: try playedRanges(of: episode),
            bookmarks: try bookmarks(of: episode), queuePlace: try queuePosition(of: episode),
            download: try download(of: episode), transcript: try transcriptPresence(of: episode))
    }

    private func transcriptPresence(of episode: Int64) throws(LibraryError) -> TranscriptPresence {
        if try hasTranscript(of: episode) { return .stored }
        return try transcriptLinks(of: episode).isEmpty ? .missing : .offered
    }

    private func queuePosition(of episode: Int64) throws(LibraryError) -> Int? {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM queue_entry AS other WHERE other.rank <= queue_entry.rank)
                    FROM queue_entry WHERE episode = ?
                    """, arguments: [episode])
        }
    }

    /// Returns the episodes of subscribed podcasts that the listener has used or merged with others: by podcast, the
    /// oldest first.
    public func touchedEpisodes() throws(LibraryError) -> [Int64] {
        try read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT episode.id FROM episode JOIN podcast ON podcast.id = episode.podcast
                    WHERE unsubscribed_at IS NULL AND (\(EpisodeSummary.isTouched)
                        OR EXISTS (SELECT 1 FROM transcript_shift WHERE transcript_shift.episode = episode.id)
                        OR episode.id IN (
                            SELECT episode FROM alias WHERE kind = '\(EpisodeUnion.number)'
                            INTERSECT SELECT episode FROM alias
                            WHERE kind NOT IN ('\(EpisodeUnion.number)', '\(EpisodeUnion.splitNumber)')))
                    ORDER BY episode.podcast, sorted_at, episode.id
                    """)
        }
    }
}
