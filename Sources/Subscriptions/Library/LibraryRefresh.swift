// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds
public import HTTPTransfer
public import Media

/// A refresh of the library's feeds, which fetches them and merges new episodes into the library.
public struct LibraryRefresh: Sendable {
    /// The result of the refresh of one feed.
    public struct FeedResult: Sendable, Equatable {
        /// The outcome of a refresh.
        public enum Outcome: Sendable, Equatable {
            /// The feed changed: the new episodes, in document order, and the number of other episodes that changed.
            case changed(new: [Int64], edited: Int)
            case unchanged
            /// The server reports that the feed no longer exists. Its episodes stay in the library.
            case gone
            case failed(MediaFailure, retryAfter: Duration?)
            /// The feed was not requested because it is not due until then; `nil` if it no longer exists and the
            /// listener did not ask for it.
            case rests(until: UTCTime?)
            /// The feed was not requested because its server asked for a pause: the end of the pause and the time
            /// left until then.
            case quiet(until: UTCTime, for: Duration)
        }

        /// A new address that another podcast already has.
        public struct TakenAddress: Sendable, Equatable {
            public let url: String
            public let owner: PodcastSummary
        }

        /// An announced address at which no feed could be read.
        public struct UnreadAddress: Sendable, Equatable {
            public let url: String
            public let failure: MediaFailure
        }

        public let podcast: Int64
        public let name: String
        /// True if the feed requires a password or asks directories not to list it.
        var isPrivate = false
        public var outcome: Outcome
        /// The feed's new address if it has moved.
        public var newAddress: String?
        /// The address that the feed would have moved to if another podcast did not already have it.
        public var takenAddress: TakenAddress?
        /// The address that the feed announces, if the feed stays because no feed could be read there.
        public var unreadAddress: UnreadAddress?

        /// Returns an address of the feed without its secrets.
        public func shown(_ address: String) -> String { PublicAddress.shown(address, isPrivate: isPrivate) }
    }

    let library: Library
    private let transport: any HTTPTransport
    /// The timeout: a feed that has not arrived by then has failed.
    private let time: Duration
    private let reach: AddressScope?
    private let login: Login?
    private let address: String?

    /// - Parameters:
    ///   - transport: a transport for this refresh alone, so that playback does not wait for feeds.
    ///   - reach: the reach of the feeds' addresses if the listener has just entered them; `nil` if they have been
    ///     requested before.
    ///   - login: a password that the listener has just entered, instead of the stored ones. It is not stored.
    ///   - address: the address that the listener has just entered for a feed that was imported without its token. It
    ///     is stored when the feed was read.
    public init(
        _ library: Library, transport: any HTTPTransport, within time: Duration = .seconds(600),
        reach: AddressScope? = nil, login: Login? = nil, address: String? = nil
    ) {
        self.library = library
        self.transport = transport
        self.time = time
        self.reach = reach
        self.login = login
        self.address = address
    }

    /// Refreshes podcasts.
    /// - Parameters:
    ///   - podcasts: the podcasts to refresh; `nil` refreshes all subscriptions.
    ///   - isAsked: true if the listener asked for the refresh; it then includes feeds that were requested a moment
    ///     ago or are thought to be gone.
    /// - Returns: the result for each podcast, in the order in which the refreshes end.
    public func refresh(_ podcasts: [Int64]? = nil, isAsked: Bool) -> AsyncThrowingStream<FeedResult, any Error> {
        let (stream, send) = AsyncThrowingStream.makeStream(of: FeedResult.self)
        let task = Task {
            do {
                try await run(podcasts, isAsked: isAsked) { send.yield($0) }
                send.finish()
            } catch {
                send.finish(throwing: error)
            }
        }
        send.onTermination = { _ in task.cancel() }
        return stream
    }

    private func run(
        _ podcasts: [Int64]?, isAsked: Bool, _ tell: (FeedResult) -> Void
    ) async throws(LibraryError) {
        let library = library
        let feeds = try await DiskWork.run { () throws(LibraryError) in try library.feeds(podcasts) }
        var orders: [RefreshOrder] = []
        let settings = try await DiskWork.run { () throws(LibraryError) in try library.allSettings() }
        for feed in feeds {
            let url = PublicAddress.lacksSecrets(feed.url) ? address : feed.url
            guard let url else {
                tell(FeedResult(feed, .failed(Self.noAddress, retryAfter: nil)))
                continue
            }
            switch schedule(feed, settings[feed.id], isAsked: isAsked) {
            case .due(let isFull):
                var order = RefreshOrder(feed, isFull: isFull, reach: reach, login: login)
                order.url = url
                orders.append(order)
            case .quiet(let time):
                let left = Duration.seconds(time.secondsSince1970) - .seconds(library.currentTime.secondsSince1970)
                tell(FeedResult(feed, .quiet(until: time, for: left)))
            case .notBefore(let time): tell(FeedResult(feed, .rests(until: time)))
            case .never: tell(FeedResult(feed, .rests(until: nil)))
            }
        }
        let feedsByID = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0) })
        var announcing: [FeedResult] = []
        let announced = try await request(orders, of: feedsByID) { news, isAnnouncing in
            if isAnnouncing { announcing.append(news) } else { tell(news) }
        }
        // Reports the results of feeds that announce a move only after their address is known.
        defer { for news in announcing { tell(news) } }
        let moves = try await verified(announced)
        for index in announcing.indices { moves[announcing[index].podcast].map { announcing[index].add($0) } }
        let moved = announced.map(\.order).filter { moves[$0.id]?.outcome == .moved }
        // Requests a moved feed immediately instead of at the next refresh.
        _ = try await request(moved, of: feedsByID) { news, _ in
            announcing.firstIndex { $0.podcast == news.podcast }.map { announcing[$0].add(news.outcome) }
        }
    }

    /// The failure of a feed that was imported without the token in its address.
    private static let noAddress = MediaFailure(
        .forbidden, "its private URL is missing: earshot subscribe URL")

    private func schedule(_ feed: SubscribedFeed, _ settings: EffectiveSettings, isAsked: Bool) -> RefreshSchedule {
        var history = FeedHistory(feed.state)
        history.rhythm = feed.recurrenceRule.flatMap(RecurrenceRule.rhythm)
        if isAsked { history.isGone = false }
        if !isAsked, !history.isGone, case .count(let hours) = settings[.refreshEvery], let last = history.lastTried,
            last <= library.currentTime
        {
            let next = last.later(by: .seconds(hours * 3600))
            if library.currentTime < next { return .notBefore(next) }
        }
        return RefreshSchedule.decide(
            history, at: library.currentTime, isAsked: isAsked, jitter: Double.random(in: 0..<1))
    }

    /// - Returns: the moves that feeds announce.
    private func request(
        _ orders: [RefreshOrder], of feeds: [Int64: SubscribedFeed],
        _ tell: (_ news: FeedResult, _ isAnnouncing: Bool) -> Void
    ) async throws(LibraryError) -> [AnnouncedMove] {
        let results = MergeResults()
        let refresher = FeedRefresher(transport: transport) { [library] in MergingSink($0, into: library, results) }
        var announced: [AnnouncedMove] = []
        var journal = FetchJournal(library)
        for await report in refresher.refresh(orders, within: time) {
            let settling = RefreshResultApplier(
                library: library, report: report, merged: results[report.order.id], isTrial: login != nil)
            let settled = try await DiskWork.run { () throws(LibraryError) in try settling.apply() }
            try await journal.note(settled.fetch)
            if let move = settled.announced { announced.append(move) }
            guard let feed = feeds[report.order.id] else { continue }
            var news = FeedResult(feed, settled.outcome)
            (news.newAddress, news.takenAddress) = (settled.newAddress, settled.takenAddress)
            tell(news, settled.announced != nil)
        }
        try await journal.flush()
        return announced
    }

    /// Moves each feed to its announced address if a feed was read there that does not lead back. Until then, content
    /// read at the new address is discarded.
    /// - Returns: the address and the outcome for each podcast.
    private func verified(
        _ moves: [AnnouncedMove]
    ) async throws(LibraryError) -> [Int64: (url: String, outcome: AnnouncedMove.Outcome)] {
        guard !moves.isEmpty else { return [:] }
        var outcomes: [Int64: (url: String, outcome: AnnouncedMove.Outcome)] = [:]
        let refresher = FeedRefresher(transport: transport) { _ in DiscardingSink() }
        for await report in refresher.refresh(moves.map(\.order), within: time) {
            guard let move = moves.first(where: { $0.order.id == report.order.id }) else { continue }
            let library = library
            let outcome = try await DiskWork.run { () throws(LibraryError) in
                try move.apply(report.outcome, to: library)
            }
            outcomes[report.order.id] = (report.order.url, outcome)
        }
        return outcomes
    }
}

extension LibraryRefresh.FeedResult {
    init(_ feed: SubscribedFeed, _ outcome: Outcome) {
        self.init(podcast: feed.id, name: feed.name, isPrivate: feed.isPrivate, outcome: outcome)
    }

    /// Adds the outcome of the announced move.
    fileprivate mutating func add(_ move: (url: String, outcome: AnnouncedMove.Outcome)) {
        switch move.outcome {
        case .moved: newAddress = move.url
        case .unread(let failure): unreadAddress = UnreadAddress(url: move.url, failure: failure)
        case .taken(let owner): takenAddress = TakenAddress(url: move.url, owner: owner)
        case .refused: break
        }
    }

    /// Merges the result of the second request, which was made at the new address.
    fileprivate mutating func add(_ later: Outcome) {
        switch (outcome, later) {
        case (.changed(let new, let edited), .changed(let more, let others)):
            outcome = .changed(new: new + more, edited: edited + others)
        case (_, .changed), (_, .gone), (_, .failed): outcome = later
        case (_, .unchanged), (_, .rests), (_, .quiet): break
        }
    }
}

/// A sink that discards the feed.
private struct DiscardingSink: FeedSink {
    func receive(_ episodes: [ParsedEpisode]) {}
    func finished(_ feed: ParsedFeed) {}
    func abandoned() {}
}

/// A recorder that stores the answers of feeds in batches: a transaction for each answer would take longer than the
/// requests.
private struct FetchJournal {
    private static let batch = 64

    private let library: Library
    private var fetches: [FeedFetch] = []

    init(_ library: Library) { self.library = library }

    mutating func note(_ fetch: FeedFetch?) async throws(LibraryError) {
        guard let fetch else { return }
        fetches.append(fetch)
        if fetches.count >= Self.batch { try await flush() }
    }

    mutating func flush() async throws(LibraryError) {
        let (library, fetches) = (library, fetches)
        self.fetches = []
        try await DiskWork.run { () throws(LibraryError) in try library.note(fetches) }
    }
}
