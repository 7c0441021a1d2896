// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
import HTTPTransfer
import Media

/// The body of one response, parsed as a feed while it arrives. Not thread-safe: one task uses it at a time.
struct FeedPage {
    enum UnexpectedContent: Error, Equatable {
        /// - Parameter type: the media type, if only the header of the response shows it.
        case audio(type: String?)
        case noFeed(FeedError)
    }

    let head: ResponseHead
    private let parser: FeedParser
    private var hash = ContentHash()
    private var isEmpty = true

    /// - Parameter repairs: the number of kinds of repair to report for the feed.
    init(_ head: ResponseHead, repairs: Int = 0) {
        self.head = head
        parser = FeedParser(baseURL: head.finalURL, contentType: head.fields["content-type"], repairs: repairs)
    }

    /// The hash of the bytes received so far.
    var contentHash: UInt64 { hash.value }

    /// - Returns: the episodes that are now complete.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(UnexpectedContent) -> [ParsedEpisode] {
        // Detects audio whose address and media type do not show it.
        if isEmpty, AudioSniffer.look(at: bytes) == .audio { throw .audio(type: nil) }
        isEmpty = false
        hash.append(bytes)
        do throws(FeedError) {
            try parser.consume(bytes)
        } catch {
            throw .noFeed(error)
        }
        return parser.removeEpisodes()
    }

    /// - Returns: the feed with the remaining episodes.
    func finish() throws(UnexpectedContent) -> ParsedFeed {
        do throws(FeedError) {
            return try parser.finish()
        } catch {
            throw .noFeed(error)
        }
    }
}

extension FeedPage.UnexpectedContent: CustomStringConvertible {
    var description: String {
        switch self {
        case .audio(nil): "not a feed: it is audio"
        case .audio(let type?): "not a feed: the server sends it as audio (\(type))"
        case .noFeed(let error): error.description
        }
    }
}

/// The choice of the next page of a feed to fetch (RFC 5005). Pure.
struct FeedPaging {
    static let mostPages = 50
    static let mostEpisodes = 20_000

    private var visited: Set<NormalizedURL>
    private var pages = 1

    /// - Parameter url: the address of the first page.
    init(_ url: String) { visited = [NormalizedURL(url)] }

    /// Returns the address of the next page.
    /// - Parameter episodes: the number of episodes on all pages so far.
    /// - Returns: `nil` after the last page, at the limits, or if the pages form a circle.
    mutating func next(after page: ParsedFeed, episodes: Int) -> String? {
        guard let url = page.nextPageURL, pages < Self.mostPages, episodes < Self.mostEpisodes,
            visited.insert(NormalizedURL(url)).inserted
        else { return nil }
        pages += 1
        return url
    }
}

/// A receiver of one feed while it is parsed, so that the memory in use does not grow with the feed.
///
/// All calls for one feed are sequential, on threads that may block; while they block, the transfer waits too. The
/// last call is either `finished` or `abandoned`.
public protocol FeedSink {
    /// Receives the next episodes in document order; those of older pages follow.
    func receive(_ episodes: [ParsedEpisode])
    /// Receives the feed without its episodes after all of them were delivered. If `isTruncated` is true, some are
    /// missing.
    func finished(_ feed: ParsedFeed)
    /// Discards the delivered episodes: the rest of the feed did not arrive, or the feed is unchanged.
    func abandoned()
}
