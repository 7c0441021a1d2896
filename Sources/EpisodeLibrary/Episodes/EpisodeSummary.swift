// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// The properties of an episode that a list shows.
public struct EpisodeSummary: Sendable, Equatable, Identifiable {
    /// The playback state of an episode.
    public enum Progress: String, Sendable {
        case unplayed, started, played
    }

    public let id: Int64
    public let podcast: Int64
    public let podcastTitle: String?
    public let title: String?
    public let published: UTCTime?
    /// The duration of the file if it is known from playback, else the duration in the feed.
    public let duration: Duration?
    /// The duration in the feed.
    public let claimedDuration: Duration?
    public let season: Int?
    public let number: Int?
    public let kind: String?
    public let guid: String
    public let enclosureURL: String?
    /// The media type that the feed claims.
    public let enclosureType: String?
    public let enclosureLength: Int64?
    public let progress: Progress
    /// The listener's position; zero before the first playback.
    public let position: Duration
    /// The packet from which an estimated position counts; `nil` for an exact position.
    public let anchor: TimeAnchor?
    public let playedAt: UTCTime?
    /// The time at which the episode was played to its end or marked as played.
    public let finishedAt: UTCTime?
    public let isQueued: Bool
    public let download: Download.State?
    /// The time at which the episode was first missing from its feed.
    public let leftAt: UTCTime?
    /// The time by which lists are sorted, in seconds since 1970: the publication, or the first appearance if
    /// the date is missing or was in the future.
    public let sortedAt: Int64

    /// True if the podcast requires a password or asks directories not to list it.
    public let isPrivate: Bool

    /// The title, else an address without its secrets; for messages.
    public var name: String { title ?? shown(enclosureURL ?? guid) }

    /// Returns an address of the episode without its secrets.
    public func shown(_ address: String) -> String { PublicAddress.shown(address, isPrivate: isPrivate) }

    /// True if the episode can be played: its feed lists audio, or its file is at least partly stored.
    public var hasAudio: Bool { enclosureURL != nil || download == .complete || download == .partial }

    /// Checks that the episode can be played.
    /// - Throws: `missing` if it has no audio.
    public func expectAudio() throws(LibraryError) {
        guard hasAudio else { throw LibraryError(.missing, "the episode \"\(name)\" has no audio") }
    }
}

extension EpisodeSummary {
    static let columns = """
        episode.id, episode.podcast, coalesce(podcast.own_title, podcast.title) AS podcast_title, episode.title,
        episode.published, coalesce(playback.duration, episode.duration) AS length,
        episode.duration AS claimed_length, episode.season, episode.number, episode.kind, episode.guid,
        episode.enclosure_url, episode.enclosure_type, episode.enclosure_length, playback.position, playback.anchor,
        playback.played_at, playback.finished_at, queue_entry.episode IS NOT NULL AS queued,
        iif(download.removed_at IS NULL, download.state, NULL) AS kept, episode.left_at, episode.sorted_at,
        \(PodcastSummary.privacy) AS private

        """

    static let tables = """
        FROM episode JOIN podcast ON podcast.id = episode.podcast
        LEFT JOIN playback ON playback.episode = episode.id
        LEFT JOIN queue_entry ON queue_entry.episode = episode.id
        LEFT JOIN download ON download.episode = episode.id

        """

    static var query: String { "SELECT \(columns) \(tables)" }

    /// The condition for episodes that the listener has used, or that have a file in the trash; they are kept even if
    /// the feed drops them.
    static let isTouched = """
        (EXISTS (SELECT 1 FROM playback WHERE playback.episode = episode.id)
        OR EXISTS (SELECT 1 FROM queue_entry WHERE queue_entry.episode = episode.id)
        OR EXISTS (SELECT 1 FROM bookmark WHERE bookmark.episode = episode.id)
        OR EXISTS (SELECT 1 FROM download WHERE download.episode = episode.id
            AND (removed_at IS NULL OR state <> 'wanted')))
        """

    /// The query of the episodes for which `isTouched` is true.
    static let touched = """
        SELECT episode FROM playback UNION SELECT episode FROM queue_entry UNION SELECT episode FROM bookmark
        UNION SELECT episode FROM download WHERE removed_at IS NULL OR state <> 'wanted'
        """

    /// The condition for episodes of subscribed podcasts that are in the feed or were used by the listener.
    static let isShown = "podcast.unsubscribed_at IS NULL AND (episode.left_at IS NULL OR \(isTouched))"

    init(row: Row) throws {
        id = try row["id"]
        podcast = try row["podcast"]
        podcastTitle = try row["podcast_title"]
        title = try row["title"]
        published = UTCTime(try row["published"])
        duration = (try row["length"] as Int64?).map { .microseconds($0) }
        claimedDuration = (try row["claimed_length"] as Int64?).map { .microseconds($0) }
        season = try row["season"]
        number = try row["number"]
        kind = try row["kind"]
        guid = try row["guid"] ?? ""
        enclosureURL = try row["enclosure_url"]
        enclosureType = try row["enclosure_type"]
        enclosureLength = try row["enclosure_length"]
        position = .microseconds(try row["position"] as Int64? ?? 0)
        anchor = TimeAnchor(text: try row["anchor"])
        playedAt = UTCTime(try row["played_at"])
        finishedAt = UTCTime(try row["finished_at"])
        progress = finishedAt != nil ? .played : playedAt != nil && position > .zero ? .started : .unplayed
        isQueued = try row["queued"]
        download = (try row["kept"] as String?).flatMap(Download.State.init(rawValue:))
        leftAt = UTCTime(try row["left_at"])
        sortedAt = try row["sorted_at"]
        isPrivate = try row["private"]
    }
}
