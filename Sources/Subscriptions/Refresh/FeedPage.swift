// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import HTTPTransfer

/// The body of one response, parsed as a feed while it arrives. Not thread-safe: one task uses it at a time.
struct FeedPage {
    enum UnexpectedContent: Error, Equatable {
        case audio
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
        if isEmpty, AudioSniffer.look(at: bytes) == .audio { throw .audio }
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
        case .audio: "not a feed: it is audio"
        case .noFeed(let error): error.description
        }
    }
}
