// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds

/// A feed that may be anything: it does not depend on how it arrives, and what is taken from it is clean.
@Sendable
func fuzzFeed(_ document: UnsafeRawBufferPointer) throws {
    var choices = Choices(document)
    let type = choices.pick([nil, "text/xml; charset=windows-1252", "application/rss+xml; charset=utf-16", "text/xml"])
    let whole = FeedOutcome(document, contentType: type) { .max }
    let inPieces = FeedOutcome(document, contentType: type) { choices.pieceLength() % 300 + 1 }
    try hold(whole == inPieces, "the cuts make no difference: \(whole) and \(inPieces)")
    guard case .feed(let feed) = whole else { return }
    try hold(FeedDocument(feed).bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "no control character comes through")
    try holdAddresses(feed)
}

private func holdAddresses(_ feed: ParsedFeed) throws {
    let enclosures = feed.episodes.flatMap(\.enclosures)
    let named = [feed.link, feed.image, feed.newFeedURL, feed.nextPageURL].compactMap(\.self)
    for address in named + enclosures.map(\.url) {
        let isWeb = address.hasPrefix("http://") || address.hasPrefix("https://")
        try hold(isWeb, "an address is one of the web: \(address)")
    }
    try hold(enclosures.allSatisfy { $0.length ?? 0 >= 0 }, "no length is negative")
}

/// What parsing gave.
private enum FeedOutcome: Equatable {
    case feed(ParsedFeed)
    case error(FeedError)

    init(_ document: UnsafeRawBufferPointer, contentType: String?, pieceLength: () -> Int) {
        let parser = FeedParser(baseURL: "https://feed.example/show/feed.xml", contentType: contentType)
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
