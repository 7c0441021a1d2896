// SPDX-License-Identifier: GPL-3.0-or-later

/// The vocabularies that podcasts use.
enum FeedNamespace: UInt8, Sendable {
    /// RSS itself, which has none.
    case plain
    case atom, itunes, content, dublinCore, podcast, media, simpleChapters, googleplay, rdf
    case unknown

    /// Looks a namespace up loosely: publishers vary case, scheme and trailing slash.
    init(uri: String) {
        var key = Substring(uri.lowercased())
        for scheme in ["http://", "https://"] where key.hasPrefix(scheme) { key.removeFirst(scheme.count) }
        while key.last == "/" || key.last == "#" { key.removeLast() }
        if key.hasPrefix("www.") { key.removeFirst(4) }
        self = Self.known[String(key)] ?? .unknown
    }

    /// The usual meaning of a prefix that was never declared.
    init(prefix: String) {
        self = Self.prefixes[prefix.lowercased()] ?? .unknown
    }

    private static let known: [String: FeedNamespace] = [
        "": .plain,
        "purl.org/rss/1.0": .plain,
        "my.netscape.com/rdf/simple/0.9": .plain,
        "backend.userland.com/rss": .plain,
        "backend.userland.com/rss2": .plain,
        "blogs.law.harvard.edu/tech/rss": .plain,
        "cyber.law.harvard.edu/rss/rss.html": .plain,
        "w3.org/2005/atom": .atom,
        "purl.org/atom/ns": .atom,
        "itunes.com/dtds/podcast-1.0.dtd": .itunes,
        "itunes.com/dtds/podcast-1.0": .itunes,
        "itunes.apple.com/dtds/podcast-1.0.dtd": .itunes,
        "purl.org/rss/1.0/modules/content": .content,
        "purl.org/dc/elements/1.1": .dublinCore,
        "purl.org/dc/terms": .dublinCore,
        "podcastindex.org/namespace/1.0": .podcast,
        "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
        "raw.githubusercontent.com/podcastindex-org/podcast-namespace/main/docs/1.0.md": .podcast,
        "search.yahoo.com/mrss": .media,
        "podlove.org/simple-chapters": .simpleChapters,
        "google.com/schemas/play-podcasts/1.0": .googleplay,
        "google.com/schemas/play-podcasts/1.0/play-podcasts.xsd": .googleplay,
        "w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    ]

    private static let prefixes: [String: FeedNamespace] = [
        "atom": .atom, "atom10": .atom, "a10": .atom, "itunes": .itunes, "content": .content, "dc": .dublinCore,
        "dcterms": .dublinCore, "podcast": .podcast, "media": .media, "psc": .simpleChapters,
        "googleplay": .googleplay, "rdf": .rdf, "rss": .plain,
    ]
}
