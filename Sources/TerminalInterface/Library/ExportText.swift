// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Podcasts

/// Everything the listener has, as JSON lines: the answer of `earshot export --json`. Passwords are left out.
public enum ExportText {
    /// Raised when a key changes its meaning.
    private static let version: Int64 = 1

    public static func lines(_ library: Library, at now: UTCTime) throws(LibraryError) -> [String] {
        let podcasts = try library.podcasts()
        let addresses = Dictionary(uniqueKeysWithValues: podcasts.map { ($0.id, $0.feedURL) })
        var lines = [header(try library.settings(), at: now)]
        for podcast in podcasts { lines.append(self.podcast(try PodcastRecord(library, podcast))) }
        for id in try library.touchedEpisodes() {
            let record = try library.record(of: id)
            lines.append(episode(record, feed: addresses[record.podcast.id] ?? record.podcast.feedURL))
        }
        return lines.map(\.description)
    }

    private static func header(_ settings: [String: String], at now: UTCTime) -> JSONValue {
        .object([
            .init("kind", .string("library")),
            .init("version", .integer(version)),
            .init("exported", LibraryJSON.time(now)),
            .init("settings", LibraryJSON.settings(settings)),
        ])
    }

    private static func podcast(_ record: PodcastRecord) -> JSONValue {
        .object([
            .init("kind", .string("podcast")),
            .init("feedURL", .string(PublicAddress.text(record.summary.feedURL))),
            .init("title", LibraryJSON.text(record.summary.title)),
            .init("podcastGUID", LibraryJSON.text(record.summary.guid)),
            .init("folder", .array(record.summary.folder.map(JSONValue.string))),
            .init("subscribed", LibraryJSON.time(record.summary.subscribedAt)),
            .init("formerAddresses", .array(record.formerAddresses.map { .string(PublicAddress.text($0)) })),
            .init("settings", LibraryJSON.settings(record.settings)),
        ])
    }

    private static func episode(_ record: EpisodeRecord, feed: String) -> JSONValue {
        let summary = record.summary
        return .object([
            .init("kind", .string("episode")),
            .init("feedURL", .string(PublicAddress.text(feed))),
            .init("guid", .string(PublicAddress.text(summary.guid))),
            .init("enclosureURL", LibraryJSON.text(summary.enclosureURL.map(PublicAddress.text))),
            .init("title", LibraryJSON.text(summary.title)),
            .init("published", LibraryJSON.time(summary.published)),
            .init("progress", .string(summary.progress.rawValue)),
            .init("position", .seconds(summary.position)),
            .init("version", LibraryJSON.text(record.position?.version)),
            .init("duration", LibraryJSON.seconds(record.position?.duration)),
            .init("played", LibraryJSON.time(summary.playedAt)),
            .init("finished", LibraryJSON.time(summary.finishedAt)),
            .init("listened", .array(record.listened.map(LibraryJSON.range))),
            .init("bookmarks", .array(record.bookmarks.map(bookmark))),
            .init("queuePlace", LibraryJSON.number(record.queuePlace)),
            .init("download", .optional(record.download, LibraryJSON.download)),
        ])
    }

    /// Its numbers mean nothing elsewhere.
    private static func bookmark(_ bookmark: Bookmark) -> JSONValue {
        .object([
            .init("position", .seconds(bookmark.position)),
            .init("version", LibraryJSON.text(bookmark.version)),
            .init("title", LibraryJSON.text(bookmark.title)),
            .init("made", LibraryJSON.time(bookmark.madeAt)),
        ])
    }
}
