// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import HTTPTransfer

/// The body of one answer, read as a feed while it arrives. One task at a time uses it.
struct FeedPage {
    enum Stranger: Error, Equatable {
        case audio
        case noFeed(FeedError)
    }

    let head: ResponseHead
    private let parser: FeedParser
    private var hash = ContentHash()
    private var isEmpty = true

    /// - Parameter repairs: of how many kinds of repair the feed is to tell.
    init(_ head: ResponseHead, repairs: Int = 0) {
        self.head = head
        parser = FeedParser(baseURL: head.finalURL, contentType: head.fields["content-type"], repairs: repairs)
    }

    /// Of the bytes so far.
    var contentHash: UInt64 { hash.value }

    /// - Returns: the episodes that are complete now.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(Stranger) -> [ParsedEpisode] {
        // Audio under an address and a type that do not say so.
        if isEmpty, AudioSniffer.look(at: bytes) == .audio { throw .audio }
        isEmpty = false
        hash.append(bytes)
        do throws(FeedError) {
            try parser.consume(bytes)
        } catch {
            throw .noFeed(error)
        }
        return parser.takeEpisodes()
    }

    /// - Returns: the feed, with the last episodes.
    func finish() throws(Stranger) -> ParsedFeed {
        do throws(FeedError) {
            return try parser.finish()
        } catch {
            throw .noFeed(error)
        }
    }
}

extension FeedPage.Stranger: CustomStringConvertible {
    var description: String {
        switch self {
        case .audio: "not a feed: it is audio"
        case .noFeed(let error): error.description
        }
    }
}
