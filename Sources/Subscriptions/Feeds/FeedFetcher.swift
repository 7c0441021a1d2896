// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
public import HTTPTransfer
public import Media

/// A fetcher that downloads a feed and parses it as it arrives.
public struct FeedFetcher: Sendable {
    /// The content found at an address.
    public enum FetchedDocument: Sendable, Equatable {
        /// A feed; `source` is the class of the address that the response came from, `nil` if it is unknown.
        case feed(ParsedFeed, source: AddressClass?)
        /// Audio instead of a feed, which the reason states; no bytes of it are stored.
        case audio(reason: String)
    }

    /// The maximum length of a feed after decompression, in bytes; the longest known feeds have a third of it.
    static let longestFeed: Int64 = 96 << 20

    private let transport: any HTTPTransport
    private let repairs: Int

    /// - Parameter repairs: the number of kinds of repair to report for a feed.
    public init(transport: any HTTPTransport, repairs: Int = 0) {
        self.transport = transport
        self.repairs = repairs
    }

    /// Fetches the feed at `url`. If the response is a web page that links to a feed, fetches that feed instead,
    /// once.
    ///
    /// - Throws: the reason if the address leads to neither a feed nor audio.
    public func fetch(_ url: String) async throws(MediaFailure) -> FetchedDocument {
        let answer = await send(HTTPRequest(url: url, accept: .compressed, longestBody: Self.longestFeed))
        guard case .page(let bytes, let head) = answer, let feed = Self.links(in: bytes, head).first else {
            return try answer.finding
        }
        let request = HTTPRequest(
            url: feed, accept: .compressed, namedBy: url, reach: AddressScope.any.named(by: head.source),
            longestBody: Self.longestFeed)
        return try await send(request).finding
    }

    /// Returns the feeds that a web page links to, the best one first, and the reach that their addresses are
    /// allowed; no feeds if the page cannot be fetched.
    public func links(onPage url: String) async -> (urls: [String], reach: AddressScope) {
        let request = HTTPRequest(url: url, accept: .compressed, longestBody: Self.longestFeed)
        guard case .page(let bytes, let head) = await send(request) else { return ([], .publicOnly()) }
        return (Self.links(in: bytes, head), AddressScope.any.named(by: head.source))
    }

    private static func links(in page: [UInt8], _ head: ResponseHead) -> [String] {
        page.withUnsafeBytes {
            FeedLinkFinder.feeds(in: $0, baseURL: head.finalURL, contentType: head.fields["content-type"])
        }
    }

    private func send(_ request: HTTPRequest) async -> FeedReceiver.Outcome {
        await withCheckedContinuation { continuation in
            transport.start(request, receiver: FeedReceiver(repairs: repairs) { continuation.resume(returning: $0) })
        }
    }
}

/// A receiver that parses a feed on the transport's thread.
///
/// `@unchecked Sendable`: everything except the call of `init` happens on that one thread.
private final class FeedReceiver: TransferReceiver, @unchecked Sendable {
    enum Outcome {
        case found(FeedFetcher.FetchedDocument)
        /// A web page, up to the length within which links are expected.
        case page([UInt8], ResponseHead)
        case failed(MediaFailure)

        var finding: FeedFetcher.FetchedDocument {
            get throws(MediaFailure) {
                switch self {
                case .found(let finding): return finding
                case .page: throw MediaFailure(.badData, FeedError.notAFeed(.htmlPage).description)
                case .failed(let failure): throw failure
                }
            }
        }
    }

    /// The maximum number of bytes of a page to read: pages link to their feeds in their head.
    private static let longestPage = 512 << 10

    private let repairs: Int
    private let deliver: @Sendable (Outcome) -> Void
    private var page: FeedPage?
    private var episodes: [ParsedEpisode] = []
    private var beginning: [UInt8] = []
    /// The answer, if it was known before the end of the body.
    private var outcome: Outcome?

    init(repairs: Int, deliver: @escaping @Sendable (Outcome) -> Void) {
        self.repairs = repairs
        self.deliver = deliver
    }

    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        switch FeedVerdict(head) {
        case .read: page = FeedPage(head, repairs: repairs)
        case .audio(let type): outcome = outcome(for: .audio(type: type))
        case .gone, .unchanged: outcome = .failed(HTTPRejection.status(head.status).mediaFailure)
        case .refused(let failure): outcome = .failed(failure)
        case .temporaryFailure(let failure, let asked): outcome = .failed(failure.stating(asked))
        }
        return outcome == nil ? .accept : .refuse
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        beginning += bytes.prefix(Self.longestPage - beginning.count)
        if case .page = outcome { return beginning.count < Self.longestPage ? .accept : .refuse }
        do throws(FeedPage.UnexpectedContent) {
            episodes += try page?.consume(bytes) ?? []
            return .accept
        } catch {
            outcome = outcome(for: error)
            if case .page = outcome { return .accept }
            return .refuse
        }
    }

    func finished(_ transfer: TransferOutcome, of id: TransferID) {
        if case .page(_, let head) = outcome { return deliver(.page(beginning, head)) }
        deliver(outcome ?? end(of: transfer))
    }

    private func end(of transfer: TransferOutcome) -> Outcome {
        switch transfer {
        case .complete: break
        case .failed(let error): return .failed(error.mediaFailure)
        case .refused, .cancelled: return .failed(MediaFailure(.temporary, "the request was cancelled"))
        }
        guard let page else { return .failed(MediaFailure(.badProtocol, "the server sent nothing")) }
        do throws(FeedPage.UnexpectedContent) {
            var feed = try page.finish()
            feed.episodes = episodes + feed.episodes
            return .found(.feed(feed, source: page.head.source))
        } catch {
            return outcome(for: error)
        }
    }

    private func outcome(for stranger: FeedPage.UnexpectedContent) -> Outcome {
        switch (stranger, page?.head) {
        case (.audio, _): .found(.audio(reason: stranger.description))
        case (.noFeed(.notAFeed(.htmlPage)), let head?): .page(beginning, head)
        case (.noFeed(let error), _): .failed(MediaFailure(.badData, error.description))
        }
    }
}
