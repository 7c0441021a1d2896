// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
import HTTPTransfer
import Media

/// The application of one refresh report to the library.
struct RefreshResultApplier: Sendable {
    struct Applied: Sendable {
        var outcome: LibraryRefresh.FeedResult.Outcome
        /// The answer to be recorded.
        var fetch: FeedFetch?
        var newAddress: String?
        var takenAddress: LibraryRefresh.FeedResult.TakenAddress?
        /// The move that the feed announces.
        var announced: AnnouncedMove?
    }

    let library: Library
    let report: RefreshReport
    /// The result of merging the episodes.
    let merged: MergeResults.Outcome?
    /// True if the password was not used before: a failure then says nothing about the feed.
    let isTrial: Bool

    private var podcast: Int64 { report.order.id }

    func apply() throws(LibraryError) -> Applied {
        switch report.outcome {
        case .unchanged(let answer):
            let fetch = FeedFetch(podcast, answer, wasFull: report.order.isFull)
            let applied = Applied(outcome: .unchanged, fetch: fetch)
            return try moving(applied, answer, announced: report.order.announcedURL)
        case .changed(let answer, let feed, _):
            return try moving(changed(answer, isCut: feed.isTruncated), answer, announced: feed.newFeedURL)
        case .gone:
            if !isTrial {
                try library.noteFailure(podcast, "the server reports that the feed no longer exists", isGone: true)
            }
            return Applied(outcome: .gone)
        case .notAFeed(let reason): return try failed(MediaFailure(.badData, reason), nil)
        case .failed(let failure, let retryAfter): return try failed(failure, retryAfter)
        }
    }

    /// - Parameter isCut: true if the document is truncated, or one of its pages is missing.
    private func changed(_ answer: FeedAnswer, isCut: Bool) throws(LibraryError) -> Applied {
        switch merged {
        case .success(let merge):
            return Applied(
                outcome: .changed(new: merge.new, edited: merge.changed),
                fetch: FeedFetch(podcast, answer, wasFull: !isCut))
        // A podcast that was removed in the meantime does not stop the refresh of the others.
        case .failure(let error) where error.kind == .missing: return Applied(outcome: .unchanged)
        case .failure(let error): throw error
        case nil: return Applied(outcome: .unchanged)
        }
    }

    private func failed(_ failure: MediaFailure, _ retryAfter: Duration?) throws(LibraryError) -> Applied {
        let retryAt = retryAfter.map { library.currentTime.later(by: $0) }
        if !isTrial { try library.noteFailure(podcast, failure.reason, retryAt: retryAt) }
        return Applied(outcome: .failed(failure, retryAfter: retryAfter))
    }

    private func moving(
        _ settled: Applied, _ answer: FeedAnswer, announced: String?
    ) throws(LibraryError) -> Applied {
        var settled = settled
        try library.complete(podcast, with: report.order.url)
        let move = FeedMove.decide(
            from: report.order.url, redirectedTo: answer.permanentURL, announcing: announced, isRead: true,
            isProven: answer.isProven)
        switch move {
        case .moved(let url):
            let move = try library.moveFeed(
                podcast, to: url, because: "a permanent redirect",
                keepsLogin: NormalizedURL(url).keepsPassword(of: NormalizedURL(report.order.url)),
                wasPublic: (answer.source ?? .public) == .public)
            switch move {
            case .moved: settled.newAddress = url
            case .taken(let owner): settled.takenAddress = .init(url: url, owner: try library.podcast(owner))
            case .declined: break
            }
        // `WebAddress` removes a password from the announced address: it is public, not the listener's, and is not
        // stored.
        case .announced(let url):
            guard let address = try? WebAddress.parse(url).0 else { break }
            settled.announced = AnnouncedMove(order: report.order.at(address.text, named: answer.source))
        // An unproven redirect moves nothing, but reports a podcast that already has the address, to avoid a
        // duplicate.
        case .refused(let url, .unproven) where answer.permanentURL == url:
            if let owner = try library.podcast(at: url), owner.id != podcast {
                settled.takenAddress = .init(url: url, owner: owner)
            }
        case .stays, .refused: break
        }
        return settled
    }
}

extension FeedFetch {
    init(_ podcast: Int64, _ answer: FeedAnswer, wasFull: Bool) {
        self.init(
            podcast: podcast, etag: answer.version.conditions.etag,
            lastModified: answer.version.conditions.lastModified,
            bodyKey: answer.version.hash.map { Int64(bitPattern: $0) }, wasFull: wasFull,
            isPublic: answer.source.map { $0 == .public })
    }
}

extension RefreshOrder {
    /// - Parameters:
    ///   - reach: the reach of an address that the listener has just entered; `nil` for an address requested before: a
    ///     public feed stays public, even if its host name resolves to another address now.
    ///   - login: the password to use instead of the stored one.
    init(_ feed: SubscribedFeed, isFull: Bool, reach: AddressScope? = nil, login: Login? = nil) {
        let wantsOlderPages = feed.state.fullAt == nil
        self.init(
            id: feed.id, url: feed.url,
            // A refused page may be available although the first page is unchanged.
            known: isFull && wantsOlderPages ? FeedVersion() : FeedVersion(of: feed.state), isFull: isFull,
            credentials: (login ?? feed.login).map { Credentials(user: $0.user, password: $0.password) },
            wantsOlderPages: wantsOlderPages,
            reach: reach ?? Self.addressScope(of: feed), announcedURL: feed.announcedURL)
    }

    /// Returns the address scope of the feed. A feed that has never answered comes from an imported list.
    private static func addressScope(of feed: SubscribedFeed) -> AddressScope {
        if feed.state.succeededAt == nil { return .listed(feed.url) }
        return feed.state.isPublic ? .publicOnly() : .any
    }

    /// Returns the order for the same podcast at another address. The password is only sent to its own origin.
    /// - Parameter source: the class of the address whose response named `url`.
    func at(_ url: String, named source: AddressClass?) -> RefreshOrder {
        var order = self
        order.url = url
        order.reach = reach.named(by: source)
        order.known = FeedVersion()
        order.announcedURL = nil
        if !NormalizedURL(url).keepsPassword(of: NormalizedURL(self.url)) { order.credentials = nil }
        return order
    }
}

extension FeedVersion {
    fileprivate init(of state: FeedState) {
        self.init(
            conditions: RequestConditions(etag: state.etag, lastModified: state.lastModified),
            hash: state.bodyKey.map { UInt64(bitPattern: $0) })
    }
}

extension FeedHistory {
    init(_ state: FeedState) {
        self.init()
        lastTried = state.triedAt
        lastFull = state.fullAt
        answersSinceFull = state.answersSinceFull
        failures = state.failures
        quietUntil = state.retryAt
        isGone = state.goneAt != nil
    }
}
