// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
import Podcasts

/// All that is known of one episode.
public struct EpisodeRecord: Sendable, Equatable {
    public let summary: EpisodeSummary
    public let podcast: PodcastSummary
    public let notes: EpisodeNotes
    /// `nil` where nothing of it was played.
    public let position: PlaybackPosition?
    public let listened: [Range<Duration>]
    /// In the order of the episode.
    public let bookmarks: [Bookmark]
    /// From 1.
    public let queuePlace: Int?
    /// Also one that is in the trash.
    public let download: Download?
}

extension Library {
    public func record(of episode: Int64) throws(LibraryError) -> EpisodeRecord {
        let summary = try self.episode(episode)
        return EpisodeRecord(
            summary: summary, podcast: try podcast(summary.podcast), notes: try notes(of: episode),
            position: try position(of: episode), listened: try listened(of: episode),
            bookmarks: try bookmarks(of: episode), queuePlace: try queuePlace(of: episode),
            download: try download(of: episode))
    }

    private func queuePlace(of episode: Int64) throws(LibraryError) -> Int? {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM queue_entry AS other WHERE other.rank <= queue_entry.rank)
                    FROM queue_entry WHERE episode = ?
                    """, arguments: [episode])
        }
    }

    /// Episodes that the listener did something with, of podcasts subscribed to: by podcast, the oldest first.
    public func touchedEpisodes() throws(LibraryError) -> [Int64] {
        try read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT episode.id FROM episode JOIN podcast ON podcast.id = episode.podcast
                    WHERE unsubscribed_at IS NULL AND \(EpisodeSummary.isTouched)
                    ORDER BY episode.podcast, sorted_at, episode.id
                    """)
        }
    }
}
