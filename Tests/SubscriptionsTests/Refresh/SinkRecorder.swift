// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import HTTPTransfer
import Logging
import Media
import Synchronization

@testable import Subscriptions

/// Records the calls of the sinks of a refresh, for each order.
final class SinkRecorder: Sendable {
    enum Call: Equatable {
        /// The titles of the delivered episodes.
        case takes([String?])
        case finished(title: String?, isTruncated: Bool)
        case abandoned
    }

    private let calls = Mutex<[Int64: [Call]]>([:])

    private struct Sink: FeedSink {
        let id: Int64
        let recorder: SinkRecorder

        func receive(_ episodes: [ParsedEpisode]) { recorder.note(.takes(episodes.map(\.title)), of: id) }
        func finished(_ feed: ParsedFeed) {
            recorder.note(.finished(title: feed.title, isTruncated: feed.isTruncated), of: id)
        }
        func abandoned() { recorder.note(.abandoned, of: id) }
    }

    /// Returns a sink; the factory that `FeedRefresher` requires.
    @Sendable func sink(for order: RefreshOrder) -> any FeedSink { Sink(id: order.id, recorder: self) }

    func calls(of id: Int64) -> [Call] { calls.withLock { $0[id] ?? [] } }

    /// Returns the titles of all episodes in the order of delivery.
    func titles(of id: Int64) -> [String?] {
        calls(of: id).flatMap { call -> [String?] in
            if case .takes(let titles) = call { titles } else { [] }
        }
    }

    private func note(_ call: Call, of id: Int64) { calls.withLock { $0[id, default: []].append(call) } }
}

/// A small feed, and answers that contain it.
enum NewsFeed {
    static func bytes(
        _ title: String = "News", episodes: [String] = ["b", "a"], next: String? = nil, relation: String = "next"
    ) -> [UInt8] {
        let link = next.map { "<atom:link rel=\"\(relation)\" href=\"\($0)\"/>" } ?? ""
        let items = episodes.map {
            """
            <item><title>\($0)</title><guid>\($0)</guid>
            <enclosure url="https://example.org/\($0).mp3" type="audio/mpeg" length="10"/></item>

            """
        }
        return Array(
            """
            <?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
            <title>\(title)</title>\(link)
            \(items.joined())</channel></rss>
            """.utf8)
    }

    static func script(_ bytes: [UInt8] = bytes(), etag: String? = nil) -> FaultScript {
        FaultScript(body: bytes, contentType: "application/rss+xml").with { $0.etag = etag }
    }
}

/// A refresh over real connections.
struct RefreshStage {
    let server: FaultServer
    let transport: CurlTransport
    let recorder = SinkRecorder()

    init(_ routes: [String: [FaultScript]] = [:]) throws {
        server = try FaultServer(routes)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        // The refresh has its own deadline, so the limits of the transport must not apply.
        let limits = TransferLimits(answer: .seconds(600), silence: .seconds(600), slowTime: .seconds(600))
        transport = CurlTransport(version: "0", limits: limits, logger: logger)
    }

    func order(_ path: String, id: Int64 = 0, _ change: (inout RefreshOrder) -> Void = { _ in }) -> RefreshOrder {
        var order = RefreshOrder(id: id, url: server.url(path))
        change(&order)
        return order
    }

    func refresher(clock: any Clock<Duration> = ContinuousClock()) -> FeedRefresher {
        var limits = RefreshQueue.Limits()
        limits.pause = .milliseconds(10)
        return FeedRefresher(transport: transport, clock: clock, limits: limits, makeSink: recorder.sink)
    }

    /// - Returns: the outcomes by the identifiers of the orders.
    func refresh(_ orders: [RefreshOrder], within time: Duration = TimeLimit.event) async -> [Int64: RefreshOutcome] {
        await refresher().refresh(orders, within: time).reduce(into: [:]) { $0[$1.order.id] = $1.outcome }
    }

    func refresh(_ order: RefreshOrder) async -> RefreshOutcome? { await refresh([order])[order.id] }
}

extension RefreshOutcome {
    var answer: FeedAnswer? {
        switch self {
        case .unchanged(let answer), .changed(let answer, _, _): answer
        case .gone, .notAFeed, .failed: nil
        }
    }

    /// The outcome as text: "changed 2", "unchanged", "gone", "failed: …", "no feed: …".
    var text: String {
        switch self {
        case .unchanged: "unchanged"
        case .changed(_, _, let count): "changed \(count)"
        case .gone: "gone"
        case .notAFeed(let reason): "no feed: \(reason)"
        case .failed(let failure, _): "failed: \(failure.reason)"
        }
    }
}
