// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Finds the feeds that an HTML page links to.
///
/// Source: RSS Autodiscovery (rel="alternate" with a feed's type); HTML, 4.6.7.1. If a page has no such links, the
/// finder returns links whose URL looks like a feed's.
public enum FeedLinkFinder {
    /// The number of bytes of a page that are searched.
    private static let pageLimit = 2 << 20

    /// - Parameters:
    ///   - page: HTML, possibly truncated.
    ///   - baseURL: the URL of the page.
    ///   - contentType: the HTTP header of the response, for its charset.
    /// - Returns: absolute URLs without duplicates, the most probable first.
    public static func feeds(in page: UnsafeRawBufferPointer, baseURL: String, contentType: String? = nil) -> [String] {
        var decoder = TextDecoder(contentType: contentType, log: RepairLog(limit: 0))
        var text: [UInt8] = []
        let bytes = UnsafeRawBufferPointer(rebasing: page.prefix(pageLimit))
        decoder.append(bytes.bindMemory(to: UInt8.self), to: &text)
        decoder.finish(into: &text)
        let links = PageLinks(base: baseURL)
        text.withUnsafeBufferPointer { HTMLPushParser.parse($0, to: links) }
        return links.urls
    }
}

/// The links of a page that may lead to a feed.
private final class PageLinks: HTMLEvents {
    /// The probability that a link is the podcast's own feed, highest first.
    private enum Rank: Int {
        case podcast, feed, json, comments, linkedPodcast, linkedFeed, linkedComments
    }

    private var base: String
    private var hasBase = false
    private var found: [(rank: Rank, url: String)] = []
    /// The number of open elements whose content is not part of the page.
    private var hidden = 0
    private static let linkLimit = 200

    init(base: String) {
        self.base = base
    }

    var urls: [String] {
        let sorted = found.enumerated().sorted { one, other in
            (one.element.rank.rawValue, one.offset) < (other.element.rank.rawValue, other.offset)
        }
        var known: Set<String> = []
        return sorted.map(\.element.url).filter { known.insert($0).inserted }
    }

    func documentStarted() {
        hidden = 0
    }

    func elementStarted(_ name: HTMLName, _ attributes: HTMLAttributes) {
        if Self.isHidden(name) { hidden += 1 }
        guard hidden == 0, found.count < Self.linkLimit else { return }
        switch name {
        case "link": consider(link: PageLink(attributes))
        case "a", "area": consider(anchor: PageLink(attributes))
        case "base" where !hasBase:
            hasBase = true
            base = PageLink(attributes).href.flatMap { WebURL.resolve($0, base: base) } ?? base
        default: break
        }
    }

    func elementEnded(_ name: HTMLName) {
        if Self.isHidden(name) { hidden = max(0, hidden - 1) }
    }

    private static func isHidden(_ name: HTMLName) -> Bool {
        name == "svg" || name == "template"
    }

    private func consider(link: PageLink) {
        guard link.isAlternate, let kind = link.kind, let url = url(link) else { return }
        if link.isAboutComments {
            found.append((.comments, url))
        } else if kind == .json {
            found.append((.json, url))
        } else {
            found.append((link.isAboutPodcast ? .podcast : .feed, url))
        }
    }

    private func consider(anchor: PageLink) {
        guard anchor.looksLikeFeed, let url = url(anchor) else { return }
        let rank: Rank =
            anchor.isAboutComments ? .linkedComments : anchor.isAboutPodcast ? .linkedPodcast : .linkedFeed
        found.append((rank, url))
    }

    private func url(_ link: PageLink) -> String? {
        link.href.flatMap { WebURL.resolve(FeedAddress.withoutFeedScheme($0), base: base) }
    }
}
