// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import HTTPTransfer
import Media

/// Reads the answers to one order, page by page, into its sink. One task at a time uses it.
struct FeedReading {
    enum Next: Equatable {
        /// Another page is wanted.
        case page(HTTPRequest)
        case end(FeedAttempt)
    }

    private let order: RefreshOrder
    private let makeSink: (RefreshOrder) -> any FeedSink
    private var sink: (any FeedSink)?
    private var page: FeedPage?
    /// What the first page has brought, once that is over.
    private var first: (answer: FeedAnswer, feed: ParsedFeed)?
    /// `nil` where the first page is all that is wanted.
    private var paging: FeedPaging?
    private var episodes = 0
    /// How it ended, which may be known before the answer is over.
    private(set) var ended: FeedAttempt?

    init(_ order: RefreshOrder, makeSink: @escaping (RefreshOrder) -> any FeedSink) {
        self.order = order
        self.makeSink = makeSink
        paging = order.wantsOlderPages ? FeedPaging(order.url) : nil
    }

    /// The head of an answer has come.
    mutating func begin(_ head: ResponseHead) {
        if let attempt = order.attempt(answeredBy: head) { end(attempt) } else { page = FeedPage(head) }
    }

    /// The next bytes of its body have come.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) {
        guard ended == nil else { return }
        do throws(FeedPage.Stranger) {
            hand(over: try page?.consume(bytes) ?? [])
        } catch {
            end(as: error)
        }
    }

    /// The answer is over.
    mutating func finish(_ outcome: TransferOutcome) -> Next {
        guard ended == nil, let page else { return .end(ended ?? attempt(outcome)) }
        guard outcome == .complete else { return .end(end(attempt(outcome))) }
        do throws(FeedPage.Stranger) {
            return close(page, try page.finish())
        } catch {
            return .end(end(as: error))
        }
    }

    /// Nobody waits for it any more.
    mutating func abandon() {
        sink?.abandoned()
        sink = nil
    }
}

// MARK: Ends
extension FeedReading {
    private mutating func close(_ page: FeedPage, _ feed: ParsedFeed) -> Next {
        let version = page.version(of: feed)
        if first == nil, version.hash == order.known.hash {
            return .end(end(.settled(.unchanged(FeedAnswer(version, in: page.head)))))
        }
        hand(over: feed.episodes)
        var show = feed
        show.episodes = []
        first = first ?? (FeedAnswer(version, in: page.head), show)
        if feed.isTruncated { first?.feed.isTruncated = true }
        guard !feed.isTruncated, let next = paging?.next(after: feed, episodes: episodes) else {
            return .end(complete())
        }
        return .page(order.request(forPage: next, namedBy: page.head.source))
    }

    @discardableResult
    private mutating func end(as stranger: FeedPage.Stranger) -> FeedAttempt {
        end(stranger.attempt)
    }

    /// Where a later page fails, the feed is what the pages before it have brought.
    @discardableResult
    private mutating func end(_ attempt: FeedAttempt) -> FeedAttempt {
        if first != nil, attempt != .cancelled {
            first?.feed.isTruncated = true
            return complete()
        }
        abandon()
        ended = attempt
        return attempt
    }

    private mutating func complete() -> FeedAttempt {
        guard let (answer, feed) = first else { return .cancelled }
        openSink().finished(feed)
        sink = nil
        let attempt = FeedAttempt.settled(.changed(answer, feed, episodes: episodes))
        ended = attempt
        return attempt
    }

    private func attempt(_ outcome: TransferOutcome) -> FeedAttempt {
        guard case .failed(let error) = outcome else { return .cancelled }
        switch error {
        case .cannotConnect, .brokenOff: return .trouble(error.mediaFailure, asked: nil)
        default: return .settled(.failed(error.mediaFailure, retryAfter: nil))
        }
    }

    private mutating func hand(over more: [ParsedEpisode]) {
        guard !more.isEmpty else { return }
        episodes += more.count
        openSink().takes(more)
    }

    private mutating func openSink() -> any FeedSink {
        let sink = sink ?? makeSink(order)
        self.sink = sink
        return sink
    }
}

extension RefreshOrder {
    /// What a head says by itself; `nil` where the body has to be read.
    func attempt(answeredBy head: ResponseHead) -> FeedAttempt? {
        switch FeedVerdict(head, isConditional: isConditional) {
        case .read: nil
        case .unchanged: .settled(.unchanged(FeedAnswer(known.confirmed(by: head), in: head)))
        case .audio: FeedPage.Stranger.audio.attempt
        case .gone: .settled(.gone)
        case .refused(let failure): .settled(.failed(failure, retryAfter: nil))
        case .trouble(let failure, let asked): .trouble(failure, asked: asked)
        }
    }
}

extension FeedAnswer {
    fileprivate init(_ version: FeedVersion, in head: ResponseHead) {
        self.init(
            version: version, permanentURL: head.permanentURL, source: head.source, isProven: head.isProven)
    }
}

extension FeedPage.Stranger {
    fileprivate var attempt: FeedAttempt { .settled(.notAFeed(description)) }
}

extension FeedVersion {
    /// A 304 may name another validator of the same bytes (RFC 9110 section 15.4.5).
    fileprivate func confirmed(by head: ResponseHead) -> FeedVersion {
        var version = self
        version.conditions.etag = head.etag ?? conditions.etag
        version.conditions.lastModified = head.lastModified ?? conditions.lastModified
        return version
    }
}

extension FeedPage {
    /// Of a feed that was cut nothing is known that would keep the rest from being fetched.
    fileprivate func version(of feed: ParsedFeed) -> FeedVersion {
        FeedVersion(
            conditions: feed.isTruncated ? RequestConditions() : RequestConditions(of: head), hash: contentHash)
    }
}
