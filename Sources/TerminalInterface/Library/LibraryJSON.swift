// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media

/// The values of the library as JSON: docs/json-library.md.
enum LibraryJSON {
    static func podcast(_ podcast: PodcastSummary) -> JSONValue { .object(members(podcast)) }

    static func members(_ podcast: PodcastSummary) -> [JSONValue.Member] {
        [
            .init("id", .integer(podcast.id)),
            .init("title", text(podcast.title)),
            .init("feedURL", .string(podcast.shownFeedURL)),
            .init("author", text(podcast.author)),
            .init("description", text(podcast.description)),
            .init("link", text(podcast.link.map { PublicAddress.shown($0) })),
            .init("image", text(podcast.image.map { PublicAddress.shown($0) })),
            .init("language", text(podcast.language)),
            .init("podcastGUID", text(podcast.guid)),
            .init("type", text(podcast.kind)),
            .init("folder", .array(podcast.folder.map(JSONValue.string))),
            .init("subscribed", time(podcast.subscribedAt)),
            .init("episodes", .integer(Int64(podcast.episodeCount))),
            .init("unplayed", .integer(Int64(podcast.unplayedCount))),
            .init("latest", time(podcast.latest)),
            .init("refreshed", time(podcast.feed.succeededAt)),
            .init("failure", text(podcast.feed.failure)),
            .init("gone", .bool(podcast.feed.goneAt != nil)),
        ]
    }

    static func text(_ text: String?) -> JSONValue { .optional(text, JSONValue.string) }
    static func time(_ time: UTCTime?) -> JSONValue { .optional(time) { .string($0.description) } }
    static func seconds(_ duration: Duration?) -> JSONValue { .optional(duration, JSONValue.seconds) }
}
