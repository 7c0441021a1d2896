// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Testing

/// The address of the feeds in the specifications.
let feedURL = "https://feed.example/show/feed.xml"

/// The namespaces that podcasts declare.
let namespaces = """
    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" \
    xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters" \
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" \
    xmlns:googleplay="http://www.google.com/schemas/play-podcasts/1.0"
    """

/// Parses a complete document.
func feed(_ document: String, base: String? = feedURL) throws -> ParsedFeed {
    try #require(outcome(of: Array(document.utf8), base: base).feed, "not a feed: \(document)")
}

/// Returns the single episode of an RSS feed with this item.
func episode(_ item: String, base: String? = feedURL) throws -> ParsedEpisode {
    try #require(
        feed("<rss \(namespaces)><channel><title>t</title><item>\(item)</item></channel></rss>", base: base)
            .episodes.first)
}

/// Returns an RSS feed with this content in its channel.
func channel(_ content: String, base: String? = feedURL) throws -> ParsedFeed {
    try feed("<rss \(namespaces)><channel>\(content)</channel></rss>", base: base)
}

/// Returns the single episode of an Atom feed with this entry.
func entry(_ content: String, base: String? = feedURL) throws -> ParsedEpisode {
    try #require(atom("<title>t</title><entry>\(content)</entry>", base: base).episodes.first)
}

/// Returns an Atom feed with this content.
func atom(_ content: String, base: String? = feedURL) throws -> ParsedFeed {
    try feed("<feed xmlns='http://www.w3.org/2005/Atom' \(namespaces)>\(content)</feed>", base: base)
}

/// Returns an RSS 1.0 feed with this content.
func rdf(_ content: String, base: String? = feedURL) throws -> ParsedFeed {
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'"
    return try feed("<rdf:RDF \(rdf) \(namespaces)>\(content)</rdf:RDF>", base: base)
}

/// Returns the single episode of a JSON Feed with this item.
func jsonItem(_ fields: String, base: String? = feedURL) throws -> ParsedEpisode {
    try #require(jsonFeed("\"items\": [{\(fields)}]", base: base).episodes.first)
}

/// Returns a JSON Feed with these fields.
func jsonFeed(_ fields: String, base: String? = feedURL) throws -> ParsedFeed {
    try feed("{\"version\": \"https://jsonfeed.org/version/1.1\", \(fields)}", base: base)
}

/// Returns the elements in the given order and in reverse order; the result of parsing must not depend on it.
func orders(_ elements: [String]) -> [String] {
    [elements.joined(), elements.reversed().joined()]
}
