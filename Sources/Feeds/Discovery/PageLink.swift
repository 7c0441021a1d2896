// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A `<link>` or `<a>` of a page, with its attributes.
struct PageLink {
    enum Kind {
        case xml, json
    }

    /// The trimmed reference, with character references decoded.
    private(set) var href: [UInt8]?
    private var relation = ""
    private var type = ""
    private var title = ""

    init(_ attributes: HTMLAttributes) {
        for (name, value) in attributes.prefix(64) {
            switch name {
            case "href" where href == nil: href = Array(ASCII.trimmed(value))
            case "rel": relation = ASCII.lowercasedString(value)
            case "type": type = ASCII.lowercasedString(value)
            case "title": title = String(decoding: value, as: UTF8.self).lowercased()
            default: break
            }
        }
    }

    var isAlternate: Bool {
        let relations = relation.split(whereSeparator: \.isWhitespace)
        return relations.contains("alternate") || relations.contains("feed")
    }

    /// The feed format, or `nil` if the type is not a feed's.
    var kind: Kind? {
        switch type.prefix(while: { $0 != ";" }).filter({ !$0.isWhitespace }) {
        case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/x-rss+xml",
            "application/x.atom+xml", "text/rss+xml", "text/rss", "application/rss", "text/xml", "application/xml":
            .xml
        case "application/feed+json": .json
        // Other endpoints of a site also have this type.
        case "application/json": address.hasSuffix("feed.json") || address.hasSuffix("/feed/json") ? .json : nil
        case "": relation.contains("feed") ? .xml : nil
        default: nil
        }
    }

    var isAboutPodcast: Bool {
        ["podcast", "episode", "audio", "mp3", "aac", "m4a", "itunes", "folgen", "show"].contains {
            title.contains($0) || address.contains($0)
        }
    }

    var isAboutComments: Bool {
        ["comment", "kommentar", "comentario", "commento"].contains { title.contains($0) || address.contains($0) }
    }

    var looksLikeFeed: Bool {
        if FeedAddress.withoutFeedScheme(href ?? []).count != href?.count ?? 0 { return true }
        let others = ["sitemap", "opensearch", "wlwmanifest", "xmlrpc"]
        guard !others.contains(where: address.contains) else { return false }
        let url = WebURL(String(text: href ?? []))
        var path = url.path.lowercased()
        while path.hasSuffix("/") { path.removeLast() }
        let host = url.authority.lowercased()
        if !path.isEmpty, ["feeds.", "feed.", "rss."].contains(where: host.hasPrefix) { return true }
        let ends = [".rss", ".xml", ".rdf", ".atom", "/feed", "/rss", "/atom", "feed.json"]
        return ends.contains(where: path.hasSuffix) || path == "feed" || path == "rss"
    }

    /// The reference in lower case.
    private var address: String { ASCII.lowercasedString(href ?? []) }
}
