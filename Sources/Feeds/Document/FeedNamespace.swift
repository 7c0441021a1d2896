// SPDX-License-Identifier: GPL-3.0-or-later

/// The vocabularies that podcasts use.
enum FeedNamespace: UInt8, Sendable {
    /// RSS itself, which has no namespace.
    case plain
    case atom, itunes, content, dublinCore, podcast, media, simpleChapters, googleplay, rdf, xhtml, enclosureModule
    case unknown

    /// Looks up a namespace leniently: publishers vary case, scheme, host prefix, version and trailing slash.
    init(uri: String) {
        var key = Substring(ASCII.lowercasedString(ASCII.trimmed(Array(uri.utf8))))
        for scheme in ["http://", "https://"] where key.hasPrefix(scheme) { key.removeFirst(scheme.count) }
        while key.last == "/" || key.last == "#" { key.removeLast() }
        if key.hasPrefix("www.") { key.removeFirst(4) }
        self = Self.known[String(key)] ?? Self.families.first { key.hasPrefix($0.start) }?.namespace ?? .unknown
    }

    /// Returns the usual meaning of a prefix that was never declared.
    init(prefix: String) {
        self = Self.prefixes[prefix.lowercased()] ?? .unknown
    }

    private static let known: [String: FeedNamespace] = [
        "": .plain,
        "purl.org/rss/1.0": .plain,
        "purl.org/net/rss1.1": .plain,
        "my.netscape.com/rdf/simple/0.9": .plain,
        "channel.netscape.com/rdf/simple/0.9": .plain,
        "my.netscape.com/publish/formats/rss-0.91.dtd": .plain,
        "backend.userland.com/rss": .plain,
        "backend.userland.com/rss091": .plain,
        "backend.userland.com/rss2": .plain,
        "blogs.law.harvard.edu/tech/rss": .plain,
        "cyber.law.harvard.edu/rss/rss.html": .plain,
        "rssboard.org/rss-specification": .plain,
        "w3.org/2005/atom": .atom,
        "purl.org/atom/ns": .atom,
        "purl.org/rss/1.0/modules/content": .content,
        "purl.oclc.org/net/rss_2.0/enc": .enclosureModule,
        "w3.org/1999/02/22-rdf-syntax-ns": .rdf,
        "w3.org/1999/xhtml": .xhtml,
    ]

    /// Vocabularies with many spellings in use.
    private static let families: [(start: String, namespace: FeedNamespace)] = [
        ("itunes.com/", .itunes),
        ("itunes.apple.com/dtds/", .itunes),
        ("podcastindex.org/namespace", .podcast),
        ("github.com/podcastindex-org/podcast-namespace", .podcast),
        ("raw.githubusercontent.com/podcastindex-org/podcast-namespace", .podcast),
        ("search.yahoo.com/mrss", .media),
        ("video.search.yahoo.com/mrss", .media),
        ("tools.search.yahoo.com/mrss", .media),
        ("rssboard.org/media-rss", .media),
        ("podlove.org/simple-chapters", .simpleChapters),
        ("google.com/schemas/play-podcasts", .googleplay),
        ("purl.org/dc/elements/", .dublinCore),
        ("purl.org/dc/terms", .dublinCore),
        ("purl.org/atom/ns#", .atom),
    ]

    private static let prefixes: [String: FeedNamespace] = [
        "atom": .atom, "atom10": .atom, "a10": .atom, "atom03": .atom, "itunes": .itunes, "content": .content,
        "dc": .dublinCore, "dcterms": .dublinCore, "podcast": .podcast, "media": .media, "mrss": .media,
        "psc": .simpleChapters, "googleplay": .googleplay, "rdf": .rdf, "rss": .plain, "xhtml": .xhtml,
        "enc": .enclosureModule,
    ]
}
