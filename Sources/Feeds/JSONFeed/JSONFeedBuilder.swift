// SPDX-License-Identifier: GPL-3.0-or-later

/// Builds a feed from the fields of JSON Feed, each of which corresponds to an element of RSS or Atom, and from RSS
/// written as JSON.
///
/// Source: jsonfeed.org, version 1.1 and 1; rssjson.org.
struct JSONFeedBuilder {
    /// The meaning of the innermost open object or array.
    private enum Context {
        case feed, items, item, authors, author, attachments, attachment, other
        /// RSS written as JSON.
        case rss, channel, guid
    }

    private let baseURL: String?
    private var channel = ChannelDraft()
    private var item: EpisodeDraft?
    private var episodes: EpisodeList
    private var contexts: [Context] = []
    /// The name of the next value; empty in an array.
    private var name = ""
    private var attachment = ElementAttributes()
    private var isFeed = false

    init(baseURL: String?, limits: FeedLimits) {
        self.baseURL = baseURL
        episodes = EpisodeList(limit: limits.items)
    }

    mutating func handle(_ token: JSONScanner.Token) {
        switch token {
        case .name(let bytes): name = bytes.count <= 32 ? ASCII.lowercasedString(bytes) : ""
        case .objectBegan: open(placeOfObject)
        case .arrayBegan: open(placeOfArray)
        case .objectEnded, .arrayEnded: close()
        case .string(let text): handleValue(text)
        case .literal(let text): handleLiteral(text)
        }
    }

    mutating func removeEpisodes() -> [ParsedEpisode] {
        episodes.removeAll()
    }

    /// - Returns: `nil` if the document is not a JSON Feed.
    mutating func finish() -> ParsedFeed? {
        guard isFeed else { return nil }
        var feed = channel.finished()
        feed.episodes = removeEpisodes()
        feed.isTruncated = episodes.isIncomplete
        return feed
    }

    private var placeOfObject: Context {
        switch (contexts.last, name) {
        case (nil, _): .feed
        case (.feed, "rss"): .rss
        case (.rss, "channel"): .channel
        case (.item, "guid"): .guid
        case (.items, _): .item
        case (.attachments, _), (.item, "attachments"), (.item, "enclosure"): .attachment
        case (.authors, _), (.feed, "author"), (.item, "author"), (.feed, "authors"), (.item, "authors"): .author
        default: .other
        }
    }

    private var placeOfArray: Context {
        switch (contexts.last, name) {
        case (.feed, "items"), (.channel, "item"), (.rss, "item"): .items
        case (.feed, "authors"), (.item, "authors"), (.feed, "author"), (.item, "author"): .authors
        case (.item, "attachments"), (.item, "enclosure"): .attachments
        default: .other
        }
    }

    private mutating func open(_ place: Context) {
        if place == .item { item = EpisodeDraft(nil) }
        if place == .items || place == .channel { isFeed = true }
        contexts.append(place)
        name = ""
    }

    private mutating func close() {
        name = ""
        switch contexts.popLast() {
        case .item:
            if let item { episodes.append(item) }
            item = nil
        case .attachment:
            offer(.enclosure, attributes: attachment)
            attachment = ElementAttributes()
        default: break
        }
    }

    /// Reads a number or a keyword. Ignores `null`, and literals in fields that require a text.
    private mutating func handleLiteral(_ text: [UInt8]) {
        guard !ASCII.equalsIgnoringCase(text, "null"), !Self.texts.contains(name) else { return name = "" }
        handleValue(text)
    }

    private static let texts: Set<String> = [
        "author", "banner_image", "content_html", "content_text", "description", "external_url", "favicon", "feed_url",
        "home_page_url", "icon", "image", "language", "next_url", "summary", "url",
    ]

    private mutating func handleValue(_ text: [UInt8]) {
        switch contexts.last {
        case .feed: setFeedField(text)
        case .item: setItemField(text)
        case .authors: offer(.itunesAuthor, text)
        case .author: setAuthorField(text)
        case .attachment: setAttachmentField(text)
        case .channel: addElement(text)
        case .guid: if name == "#value" || name == "value" { offer(.guid, text) }
        case .items, .attachments, .other, .rss, nil: break
        }
        name = ""
    }
}

extension JSONFeedBuilder {
    private mutating func setFeedField(_ text: [UInt8]) {
        switch name {
        case "version": if String(decoding: text, as: UTF8.self).contains("jsonfeed") { isFeed = true }
        case "title": offer(.title, text)
        case "home_page_url": offer(.link, text)
        case "feed_url": offer(.atomLink, attributes: Self.link(text, relation: "self"))
        case "next_url": offer(.atomLink, attributes: Self.link(text, relation: "next"))
        case "description": offer(.description, text)
        case "icon": offer(.itunesImage, text)
        case "favicon": offer(.atomIcon, text)
        case "language": offer(.language, text)
        case "author": offer(.itunesAuthor, text)
        case "expired": offer(.itunesComplete, text)
        default: break
        }
    }

    private mutating func setItemField(_ text: [UInt8]) {
        switch name {
        case "id": offer(.guid, attributes: Self.opaque, text)
        case "title": offer(.title, text)
        case "url": offer(.link, text)
        case "external_url": offer(.atomLink, attributes: Self.link(text, relation: "alternate"))
        case "content_html": offer(.contentEncoded, text)
        case "content_text": offer(.atomContent, attributes: Self.plain, text)
        case "summary": offer(.atomSummary, attributes: Self.plain, text)
        case "image": offer(.itunesImage, text)
        case "banner_image": offer(.image, text)
        case "date_published": offer(.atomPublished, text)
        case "date_modified": offer(.atomUpdated, text)
        case "author": offer(.itunesAuthor, text)
        default: addElement(text)
        }
    }

    /// Reads a field named after an element of RSS.
    private mutating func addElement(_ text: [UInt8]) {
        let parts = name.split(separator: ":", maxSplits: 1)
        let namespace = parts.count > 1 ? parts.first.map { FeedNamespace(prefix: String($0)) } : .plain
        guard let namespace, let local = parts.last else { return }
        offer(FeedElement(namespace, String(local)), text)
    }

    private mutating func setAuthorField(_ text: [UInt8]) {
        let scheme = "mailto:".utf8
        if name == "name" {
            offer(.itunesAuthor, text)
        } else if name == "url", text.starts(with: scheme) {
            offer(.dcCreator, Array(text.dropFirst(scheme.count)))
        }
    }

    private mutating func setAttachmentField(_ text: [UInt8]) {
        switch name {
        case "url": attachment.set("url", text)
        case "mime_type", "type": attachment.set("type", text)
        case "size_in_bytes", "length": attachment.set("length", Self.whole(text))
        case "duration_in_seconds": offer(.itunesDuration, text)
        default: break
        }
    }

    private mutating func offer(
        _ element: FeedElement, attributes: ElementAttributes = ElementAttributes(), _ text: [UInt8] = []
    ) {
        let base = baseURL ?? channel.selfURL
        let leaf = FeedLeaf(element: element, attributes: attributes, text: text, base: base)
        if item != nil { item?.applyOwn(leaf) } else { channel.applyOwn(leaf) }
    }

    private static func link(_ address: [UInt8], relation: String) -> ElementAttributes {
        var attributes = ElementAttributes()
        attributes.set("href", address)
        attributes.set("rel", Array(relation.utf8))
        return attributes
    }

    private static let opaque = attribute("ispermalink", "false")
    private static let plain = attribute("type", "text")

    private static func attribute(_ name: String, _ value: String) -> ElementAttributes {
        var attributes = ElementAttributes()
        attributes.set(name, Array(value.utf8))
        return attributes
    }

    /// Returns a number of bytes in digits only, also if it is written as a fraction or with an exponent.
    private static func whole(_ text: [UInt8]) -> [UInt8] {
        guard let number = Double(String(decoding: text, as: UTF8.self)), let bytes = Int64(exactly: number.rounded())
        else { return text }
        return Array(String(bytes).utf8)
    }
}
