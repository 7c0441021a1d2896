// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import HTTPTransfer
import Media

/// A reader of the responses to one order, page by page, into its sink. Not thread-safe: one task uses it at a time.
struct FeedResponseParser {
    enum Next: Equatable {
        /// A request for the next page.
        case page(HTTPRequest)
        case end(FeedAttempt)
    }

    private let order: RefreshOrder
    private let makeSink: (RefreshOrder) -> any FeedSink
    private var sink: (any FeedSink)?
    private var page: FeedPage?
    /// The answer and the feed of the first page, after that page is complete.
    private var first: (answer: FeedAnswer, feed: ParsedFeed)?
    /// The paging state; `nil` if only the first page is wanted.
    private var paging: FeedPaging?
    private var episodes = 0
    /// The hashes of the entries on this page, and of those on earlier pages.
    private var entries: (page: Set<Int>, earlier: Set<Int>) = ([], [])
    /// The result, which may be known before the end of the response.
    private(set) var ended: FeedAttempt?

    init(_ order: RefreshOrder, makeSink: @escaping (RefreshOrder) -> any FeedSink) {
        self.order = order
        self.makeSink = makeSink
        paging = order.wantsOlderPages ? FeedPaging(order.url) : nil
    }

    /// Processes the head of a response.
    mutating func begin(_ head: ResponseHead) {
        if let attempt = order.attempt(answeredBy: head) { end(attempt) } else { page = FeedPage(head) }
    }

    /// Processes the next bytes of the body.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) {
        guard ended == nil else { return }
        do throws(FeedPage.UnexpectedContent) {
            hand(over: try page?.consume(bytes) ?? [])
        } catch {
            end(as: error)
        }
    }

    /// Processes the end of the response.
    mutating func finish(_ outcome: TransferOutcome) -> Next {
        guard ended == nil, let page else { return .end(ended ?? attempt(outcome)) }
        guard outcome == .complete else { return .end(end(attempt(outcome))) }
        do throws(FeedPage.UnexpectedContent) {
            return close(page, try page.finish())
        } catch {
            return .end(end(as: error))
        }
    }

    /// Discards the feed; its result is no longer needed.
    mutating func abandon() {
        sink?.abandoned()
        sink = nil
    }
}

// MARK: Ends
extension FeedResponseParser {
    private mutating func close(_ page: FeedPage, _ feed: ParsedFeed) -> Next {
        let version = FeedVersion(conditions: RequestConditions(of: page.head), hash: page.contentHash)
        if first == nil, version.hash == order.known.hash {
            return .end(end(.completed(.unchanged(FeedAnswer(version, in: page.head)))))
        }
        hand(over: feed.episodes)
        entries = ([], entries.earlier.union(entries.page))
        var show = feed
        show.episodes = []
        first = first ?? (FeedAnswer(version, in: page.head), show)
        if feed.isTruncated { first?.feed.isTruncated = true }
        if feed.hasCutEpisode { first?.feed.hasCutEpisode = true }
        guard !feed.isTruncated, let next = paging?.next(after: feed, episodes: episodes) else {
            return .end(complete())
        }
        return .page(order.request(forPage: next, namedBy: page.head.source))
    }

    @discardableResult
    private mutating func end(as stranger: FeedPage.UnexpectedContent) -> FeedAttempt {
        end(stranger.attempt)
    }

    /// Ends the order. If a later page fails, the feed consists of the pages before it.
    @discardableResult
    private mutating func end(_ attempt: FeedAttempt) -> FeedAttempt {
        if first != nil, attempt != .cancelled { return complete(before: attempt) }
        abandon()
        ended = attempt
        return attempt
    }

    /// - Parameter failure: the failure of the next page. If it is final, the next refresh does not request it again.
    private mutating func complete(before failure: FeedAttempt? = nil) -> FeedAttempt {
        guard var (answer, feed) = first else { return .cancelled }
        if failure != nil { feed.isTruncated = true }
        openSink().finished(feed)
        sink = nil
        if failure?.isFinal == true { feed.isTruncated = false }
        // Without a version the next refresh reads the whole feed. After a refusal it reads the feed only if the first
        // page has changed, and `RefreshSchedule` limits the number of refreshes until all pages are read again.
        if feed.isTruncated, failure?.isRefusal != true { answer.version = FeedVersion() }
        let attempt = FeedAttempt.completed(.changed(answer, feed, episodes: episodes))
        ended = attempt
        return attempt
    }

    private func attempt(_ outcome: TransferOutcome) -> FeedAttempt {
        guard case .failed(let error) = outcome else { return .cancelled }
        switch error {
        case .cannotConnect, .connectionLost, .closedEarly: return .temporaryFailure(error.mediaFailure, asked: nil)
        default: return .completed(.failed(error.mediaFailure, retryAfter: nil))
        }
    }

    private mutating func hand(over parsed: [ParsedEpisode]) {
        let more = paging == nil ? parsed : unrepeated(parsed)
        guard !more.isEmpty else { return }
        episodes += more.count
        openSink().receive(more)
    }

    /// Adds entries to those of this page. Archives repeat entries of the newer documents (RFC 5005 section 4).
    /// - Returns: the entries that are on no earlier page.
    private mutating func unrepeated(_ parsed: [ParsedEpisode]) -> [ParsedEpisode] {
        let hashes = parsed.map { Self.hash(of: $0) }
        entries.page.formUnion(hashes)
        return zip(parsed, hashes).filter { !entries.earlier.contains($0.1) }.map(\.0)
    }

    /// Returns the hash of the identity of an entry. The query of a signed address differs in each document.
    private static func hash(of episode: ParsedEpisode) -> Int {
        let url = WebURL(typed: episode.enclosures.first?.url ?? "")
        return "\(episode.id.rawValue) \(url.authority)\(url.path)".hashValue
    }

    private mutating func openSink() -> any FeedSink {
        let sink = sink ?? makeSink(order)
        self.sink = sink
        return sink
    }
}

extension RefreshOrder {
    /// Returns the result that follows from the head alone; `nil` if the body must be read.
    func attempt(answeredBy head: ResponseHead) -> FeedAttempt? {
        switch FeedVerdict(head, isConditional: isConditional) {
        case .read: nil
        case .unchanged: .completed(.unchanged(FeedAnswer(known.confirmed(by: head), in: head)))
        case .audio(let type): FeedPage.UnexpectedContent.audio(type: type).attempt
        case .gone: .completed(.gone)
        case .refused(let failure): .completed(.failed(failure, retryAfter: nil))
        case .temporaryFailure(let failure, let asked): .temporaryFailure(failure, asked: asked)
        }
    }
}

extension FeedAttempt {
    /// True if the page does not exist.
    fileprivate var isFinal: Bool {
        switch self {
        case .completed(.gone): true
        case .completed(.failed(let failure, _)): failure.kind == .missing
        case .completed, .temporaryFailure, .cancelled: false
        }
    }

    /// True if the server refuses the page, or sends another document. A filter or a captive portal may be the reason,
    /// so another request may succeed.
    fileprivate var isRefusal: Bool {
        switch self {
        case .completed(.notAFeed): true
        case .completed(.failed(let failure, _)): [.forbidden, .badData].contains(failure.kind)
        case .completed, .temporaryFailure, .cancelled: false
        }
    }
}

extension FeedAnswer {
    fileprivate init(_ version: FeedVersion, in head: ResponseHead) {
        self.init(
            version: version, permanentURL: head.permanentURL, source: head.source, isProven: head.isProven)
    }
}

extension FeedPage.UnexpectedContent {
    fileprivate var attempt: FeedAttempt { .completed(.notAFeed(description)) }
}

extension FeedVersion {
    /// Returns the version with the validators of a 304 response, which may differ for the same bytes (RFC 9110
    /// section 15.4.5).
    fileprivate func confirmed(by head: ResponseHead) -> FeedVersion {
        var version = self
        version.conditions.etag = head.etag ?? conditions.etag
        version.conditions.lastModified = head.lastModified ?? conditions.lastModified
        return version
    }
}
