// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The feed content for which the library has no columns, as one JSON document, so that no information from the
/// publisher is lost. The keys are those of `FeedDocument` if both have the same field.
public enum DetailDocument {
    /// Returns the details of an episode as JSON.
    ///
    /// - Returns: `nil` if the episode has no details beyond one plain enclosure.
    public static func text(of episode: ParsedEpisode) -> String? {
        var json = JSONWriter()
        json.object { json in write(episode, to: &json) }
        return text(json)
    }

    /// Returns the details of a show as JSON, or `nil` if it has none.
    public static func text(of feed: ParsedFeed) -> String? {
        var json = JSONWriter()
        json.object { json in write(feed, to: &json) }
        return text(json)
    }

    private static func text(_ json: JSONWriter) -> String? {
        json.bytes.count <= 2 ? nil : String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ episode: ParsedEpisode, to json: inout JSONWriter) {
        if episode.enclosures.count > 1 { json.list("enclosures", episode.enclosures, FeedDocument.write) }
        json.list("chapters", episode.chapters, FeedDocument.write)
        json.field("chaptersURL", episode.chaptersURL)
        json.list("transcripts", episode.transcripts, FeedDocument.write)
        json.list("persons", episode.persons, FeedDocument.write)
        json.list("soundbites", episode.soundbites) { soundbite, json in
            json.field("start", soundbite.start)
            json.field("duration", soundbite.duration)
            json.field("title", soundbite.title)
        }
        json.list("alternateEnclosures", episode.alternateEnclosures, write)
        json.list("values", [episode.value].compactMap { $0 }, write)
        json.list("socialInteractions", episode.socialInteractions) { interaction, json in
            json.field("platform", interaction.platform)
            json.field("uri", interaction.uri)
            json.field("accountID", interaction.accountID)
            json.field("accountURL", interaction.accountURL)
        }
        json.list("licenses", [episode.license].compactMap { $0 }, write)
        json.list("locations", [episode.location].compactMap { $0 }, write)
    }

    private static func write(_ feed: ParsedFeed, to json: inout JSONWriter) {
        if feed.isBlocked { json.field("blocked", true) }
        // A password in a public document is not the listener's.
        json.field("newFeedURL", feed.newFeedURL.map { WebURL(typed: $0).withoutUserInfo.text })
        json.list("fundings", feed.fundings, FeedDocument.write)
        json.list("persons", feed.persons, FeedDocument.write)
        json.list("values", [feed.value].compactMap { $0 }, write)
        json.list("podroll", feed.podroll) { item, json in
            json.field("feedGUID", item.feedGUID)
            json.field("feedURL", item.feedURL)
            json.field("title", item.title)
        }
        json.list("updateFrequencies", [feed.updateFrequency].compactMap { $0 }) { frequency, json in
            json.field("text", frequency.text)
            json.field("rule", frequency.recurrenceRule)
            if frequency.isComplete { json.field("complete", true) }
        }
        json.list("liveItems", feed.liveItems) { item, json in
            json.field("title", item.title)
            json.field("status", item.status?.rawValue)
            json.field("start", item.start?.description)
            json.field("end", item.end?.description)
            json.list("enclosures", item.enclosures, FeedDocument.write)
        }
        json.list("trailers", feed.trailers) { trailer, json in
            json.field("title", trailer.title)
            json.field("url", trailer.enclosure.url)
        }
    }
}

extension DetailDocument {
    private static func write(_ value: ParsedValue, to json: inout JSONWriter) {
        json.field("type", value.type)
        json.field("method", value.method)
        json.field("suggested", value.suggested)
        json.list("recipients", value.recipients) { recipient, json in
            json.field("name", recipient.name)
            json.field("type", recipient.type)
            json.field("address", recipient.address)
            json.field("split", recipient.split.map(Int64.init))
        }
    }

    private static func write(_ license: ParsedLicense, to json: inout JSONWriter) {
        json.field("identifier", license.identifier)
        json.field("url", license.url)
    }

    private static func write(_ location: ParsedLocation, to json: inout JSONWriter) {
        json.field("name", location.name)
        json.field("geo", location.geo)
        json.field("openStreetMap", location.openStreetMap)
    }
}
