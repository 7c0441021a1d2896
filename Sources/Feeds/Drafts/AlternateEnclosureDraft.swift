// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The content of an unfinished `podcast:alternateEnclosure`.
struct AlternateEnclosureDraft {
    private var sources: [ParsedAlternateEnclosure.Source] = []
    private var integrity: ParsedAlternateEnclosure.Integrity?

    mutating func apply(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .podcastSource:
            let type = leaf.token("contenttype")?.lowercased()
            Self.uri(leaf).map { sources.append(ParsedAlternateEnclosure.Source(uri: $0, type: type)) }
        case .podcastIntegrity:
            guard integrity == nil, let type = leaf.token("type"), let value = leaf.token("value") else { return }
            integrity = ParsedAlternateEnclosure.Integrity(type: type, value: value)
        default: break
        }
    }

    /// - Parameter leaf: the `podcast:alternateEnclosure` itself.
    /// - Returns: `nil` if it has no source.
    mutating func finished(_ leaf: FeedLeaf) -> ParsedAlternateEnclosure? {
        defer { self = AlternateEnclosureDraft() }
        guard !sources.isEmpty else { return nil }
        var enclosure = ParsedAlternateEnclosure()
        enclosure.sources = sources
        enclosure.integrity = integrity
        enclosure.type = leaf.token("type")?.lowercased()
        enclosure.length = leaf.byteCount("length")
        enclosure.bitrate = leaf.token("bitrate").flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        enclosure.height = leaf.ordinal("height")
        enclosure.language = leaf.token("lang")
        enclosure.title = leaf.line("title")
        enclosure.rel = leaf.token("rel")
        enclosure.codecs = leaf.token("codecs")
        enclosure.isDefault = leaf.flag("default") ?? false
        return enclosure
    }

    /// Returns the URI of a source: a web URL, or a URI of a content-addressed network.
    private static func uri(_ leaf: FeedLeaf) -> String? {
        guard let token = leaf.token("uri") else { return nil }
        let scheme = WebURL(token).scheme
        return ["ipfs", "ipns", "magnet"].contains(scheme) ? token : leaf.url("uri")
    }
}
