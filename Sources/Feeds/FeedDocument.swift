// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A feed as the JSON document that `earshot feed parse --json` prints: UTF-8, keys in a fixed order, absent fields
/// omitted.
public struct FeedDocument {
    private let feed: ParsedFeed

    public init(_ feed: ParsedFeed) {
        self.feed = feed
    }

    /// The document on one line, without a trailing newline.
    public var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            Self.write(feed, to: &json)
            json.list("episodes", feed.episodes) { Self.write($0, to: &$1) }
        }
        return json.bytes
    }

    /// The document as text.
    public var string: String {
        String(decoding: bytes, as: UTF8.self)
    }

    static func write(_ feed: ParsedFeed, to json: inout JSONWriter) {
        json.field("title", feed.title)
        json.field("link", feed.link)
        json.field("description", feed.description)
        json.field("language", feed.language)
        json.field("author", feed.author)
        json.field("image", feed.image)
        json.field("explicit", feed.isExplicit)
        json.field("type", feed.order?.rawValue)
        json.field("newFeedURL", feed.newFeedURL)
        json.list("fundings", feed.fundings, write)
        json.field("podcastGUID", feed.podcastGUID)
        json.field("nextPageURL", feed.nextPageURL)
    }

    static func write(_ episode: ParsedEpisode, to json: inout JSONWriter) {
        json.field("title", episode.title)
        json.field("guid", episode.id.rawValue)
        json.field("published", episode.published?.description)
        json.field("duration", episode.duration)
        json.field("link", episode.link)
        json.field("description", episode.description)
        json.field("contentHTML", episode.contentHTML)
        json.field("image", episode.image)
        json.field("season", episode.season.map(Int64.init))
        json.field("episode", episode.number.map(Int64.init))
        json.field("episodeType", episode.kind?.rawValue)
        json.field("explicit", episode.isExplicit)
        json.field("author", episode.author)
        writeReferences(episode, to: &json)
    }

    private static func writeReferences(_ episode: ParsedEpisode, to json: inout JSONWriter) {
        json.list("enclosures", episode.enclosures, write)
        json.list("chapters", episode.chapters, write)
        json.field("chaptersURL", episode.chaptersURL)
        json.list("transcripts", episode.transcripts, write)
        json.list("persons", episode.persons, write)
    }
}

// MARK: List elements
extension FeedDocument {
    static func write(_ funding: ParsedFunding, to json: inout JSONWriter) {
        json.field("url", funding.url)
        json.field("title", funding.title)
    }

    static func write(_ enclosure: ParsedEnclosure, to json: inout JSONWriter) {
        json.field("url", enclosure.url)
        json.field("type", enclosure.type)
        json.field("length", enclosure.length)
    }

    static func write(_ chapter: Chapter, to json: inout JSONWriter) {
        json.field("start", chapter.start)
        json.field("title", chapter.title)
        json.field("url", chapter.url)
        json.field("image", chapter.imageURL)
    }

    static func write(_ transcript: ParsedTranscript, to json: inout JSONWriter) {
        json.field("url", transcript.url)
        json.field("type", transcript.type)
        json.field("language", transcript.language)
    }

    static func write(_ person: ParsedPerson, to json: inout JSONWriter) {
        json.field("name", person.name)
        json.field("role", person.role)
        json.field("group", person.group)
        json.field("url", person.url)
        json.field("image", person.image)
    }
}
