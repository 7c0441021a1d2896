// SPDX-License-Identifier: GPL-3.0-or-later
import Media

@testable import Feeds

/// Parses an arbitrary feed: the result does not depend on the chunking, it is that of the repairer alone, and its
/// values are clean.
@Sendable
func fuzzFeed(_ document: UnsafeRawBufferPointer) throws {
    var choices = Choices(document)
    let type = choices.pick([nil, "text/xml; charset=windows-1252", "application/rss+xml; charset=utf-16", "text/xml"])
    let whole = FeedOutcome(document, contentType: type) { .max }
    let inPieces = FeedOutcome(document, contentType: type) { choices.pieceLength() % 300 + 1 }
    try hold(whole == inPieces, "the chunk sizes do not change the result: \(whole) and \(inPieces)")
    let repaired = FeedOutcome(document, contentType: type, isStrictFirst: false) { .max }
    try hold(whole == repaired, "libxml2 and the repairer give the result of the repairer: \(whole) and \(repaired)")
    guard case .feed(let feed) = whole else { return }
    try hold(FeedDocument(feed).bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a parsed feed has no control character")
    try holdAddresses(feed)
}

private func holdAddresses(_ feed: ParsedFeed) throws {
    let enclosures = feed.enclosures + feed.episodes.flatMap(\.enclosures)
    for address in feed.addresses + feed.episodes.flatMap(\.addresses) + enclosures.map(\.url) {
        let isWeb = isWebAddress(address)
        try hold(isWeb, "an address uses http or https: \(address)")
    }
    try hold(enclosures.allSatisfy { $0.length ?? 1 > 0 }, "a length is positive")
    let sources = feed.episodes.flatMap(\.alternateEnclosures).flatMap(\.sources).map(\.uri)
    try hold(!sources.contains { $0.lowercased().hasPrefix("javascript:") }, "a source is not a script URL")
}

extension ParsedFeed {
    fileprivate var enclosures: [ParsedEnclosure] {
        liveItems.flatMap(\.enclosures) + trailers.map(\.enclosure)
    }

    fileprivate var addresses: [String] {
        var all = [link, image, newFeedURL, nextPageURL, selfURL, license?.url] + podroll.map(\.feedURL)
        for item in liveItems { all += [item.link, item.image] + item.contentLinks.map(\.url) }
        for person in persons { all += [person.url, person.image] }
        for funding in fundings { all.append(funding.url) }
        return all.compactMap(\.self)
    }
}

extension ParsedEpisode {
    fileprivate var addresses: [String] {
        var all = [link, image, chaptersURL, license?.url]
        for person in persons { all += [person.url, person.image] }
        for chapter in chapters { all += [chapter.url, chapter.imageURL] }
        for post in socialInteractions { all += [post.uri, post.accountURL] }
        for transcript in transcripts { all.append(transcript.url) }
        return all.compactMap(\.self)
    }
}

/// The result of parsing.
private enum FeedOutcome: Equatable {
    case feed(ParsedFeed)
    case error(FeedError)

    init(
        _ document: UnsafeRawBufferPointer, contentType: String?, isStrictFirst: Bool = true, pieceLength: () -> Int
    ) {
        var limits = FeedLimits()
        limits.repairs = 50
        let parser = FeedParser(
            baseURL: "https://feed.example/show/feed.xml", contentType: contentType, limits: limits,
            isStrictFirst: isStrictFirst)
        var rest = document[...]
        do throws(FeedError) {
            while !rest.isEmpty {
                let piece = rest.prefix(pieceLength())
                rest = rest.dropFirst(piece.count)
                try parser.consume(UnsafeRawBufferPointer(rebasing: piece))
            }
            self = .feed(try parser.finish())
        } catch {
            self = .error(error)
        }
    }
}
