// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
public import HTTPTransfer
public import Media

/// Fetches a feed and parses it as it arrives.
public struct FeedFetcher: Sendable {
    /// What was found at an address.
    public enum Finding: Sendable, Equatable {
        /// `source` is the kind of address that it came from; `nil` where that cannot be told.
        case feed(ParsedFeed, source: AddressClass?)
        /// No feed: audio, of which nothing was kept.
        case audio
    }

    /// Bytes, when they are no longer compressed: the longest feeds have a third of that.
    static let longestFeed: Int64 = 96 << 20

    private let transport: any HTTPTransport
    private let repairs: Int

    /// - Parameter repairs: of how many kinds of repair a feed is to tell.
    public init(transport: any HTTPTransport, repairs: Int = 0) {
        self.transport = transport
        self.repairs = repairs
    }

    /// - Throws: why there is neither a feed nor audio to be had.
    public func fetch(_ url: String) async throws(MediaFailure) -> Finding {
        let result = await withCheckedContinuation { continuation in
            let receiver = FeedReceiver(repairs: repairs) { continuation.resume(returning: $0) }
            let request = HTTPRequest(url: url, accept: .compressed, longestBody: Self.longestFeed)
            transport.start(request, receiver: receiver)
        }
        return try result.get()
    }
}

/// Feeds a parser on the transport's thread.
///
/// `@unchecked Sendable`: everything but the two calls of `init` and `deliver` happens on that one thread.
private final class FeedReceiver: TransferReceiver, @unchecked Sendable {
    private typealias Outcome = Result<FeedFetcher.Finding, MediaFailure>

    private let deliver: @Sendable (Result<FeedFetcher.Finding, MediaFailure>) -> Void
    private let repairs: Int
    private var parser: FeedParser?
    private var head: ResponseHead?
    /// The answer, where it came before the end of the body.
    private var outcome: Outcome?

    init(repairs: Int, deliver: @escaping @Sendable (Result<FeedFetcher.Finding, MediaFailure>) -> Void) {
        self.repairs = repairs
        self.deliver = deliver
    }

    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision {
        self.head = head
        outcome = Self.outcome(of: head)
        return outcome == nil ? .accept : .refuse
    }

    /// `nil` where the body has to tell.
    private static func outcome(of head: ResponseHead) -> Outcome? {
        if head.contentType?.hasPrefix("audio/") ?? false, head.status == 200 { return .success(.audio) }
        switch RangeVerdict.judge(head, requested: 0, expecting: .feed) {
        case .append: return nil
        case .reject(let rejection): return .failure(rejection.mediaFailure)
        case .retry(_, let reason): return .failure(reason)
        case .restart, .alreadyComplete, .changed:
            return .failure(MediaFailure(.badProtocol, "the server sent a part where the whole was asked for"))
        }
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision {
        // Audio under an address and a type that do not say so.
        if parser == nil, AudioSniffer.look(at: bytes) == .audio {
            outcome = .success(.audio)
            return .refuse
        }
        let parser = parser ?? makeParser()
        self.parser = parser
        do throws(FeedError) {
            try parser.consume(bytes)
            return .accept
        } catch {
            outcome = .failure(MediaFailure(.badData, error.description))
            return .refuse
        }
    }

    private func makeParser() -> FeedParser {
        FeedParser(baseURL: head?.finalURL, contentType: head?.fields["content-type"], repairs: repairs)
    }

    func finished(_ transfer: TransferOutcome, of id: TransferID) {
        deliver(outcome ?? end(of: transfer))
    }

    private func end(of transfer: TransferOutcome) -> Outcome {
        switch transfer {
        case .complete: break
        case .failed(let error): return .failure(error.mediaFailure)
        case .refused, .cancelled: return .failure(MediaFailure(.temporary, "fetching it was given up"))
        }
        do throws(FeedError) {
            return .success(.feed(try (parser ?? makeParser()).finish(), source: head?.source))
        } catch {
            return .failure(MediaFailure(.badData, error.description))
        }
    }
}
