// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
import HTTPTransfer
import Media
import Podcasts

/// What one report of a refresh means for the library.
struct RefreshSettling: Sendable {
    struct Settled: Sendable {
        var outcome: LibraryRefresh.News.Outcome
        /// To be written down.
        var fetch: FeedFetch?
        var newAddress: String?
        var takenAddress: String?
        /// To be asked where the feed says that it is now.
        var announced: RefreshOrder?
    }

    let library: Library
    let report: RefreshReport
    /// What became of the episodes.
    let merged: MergeResults.Outcome?

    private var podcast: Int64 { report.order.id }

    func settle() throws(LibraryError) -> Settled {
        switch report.outcome {
        case .unchanged(let answer):
            let fetch = FeedFetch(podcast, answer, wasFull: report.order.isFull)
            return try moving(Settled(outcome: .unchanged, fetch: fetch), answer, announced: nil)
        case .changed(let answer, let feed, _):
            return try moving(changed(answer, isCut: feed.isTruncated), answer, announced: feed.newFeedURL)
        case .gone:
            try library.noteFailure(podcast, "the server says that the feed is gone for good", isGone: true)
            return Settled(outcome: .gone)
        case .notAFeed(let reason): return try failed(MediaFailure(.badData, reason), nil)
        case .failed(let failure, let retryAfter): return try failed(failure, retryAfter)
        }
    }

    /// - Parameter isCut: the document, or one of its pages, did not come to its end: then it is asked for as a whole,
    ///   and again until it does.
    private func changed(_ answer: FeedAnswer, isCut: Bool) throws(LibraryError) -> Settled {
        switch merged {
        case .success(let merge):
            return Settled(
                outcome: .changed(new: merge.new, edited: merge.changed),
                fetch: FeedFetch(podcast, isCut ? answer.forgotten : answer, wasFull: !isCut))
        // One podcast that was removed meanwhile is no reason to give up on the others.
        case .failure(let error) where error.kind == .missing: return Settled(outcome: .unchanged)
        case .failure(let error): throw error
        case nil: return Settled(outcome: .unchanged)
        }
    }

    private func failed(_ failure: MediaFailure, _ retryAfter: Duration?) throws(LibraryError) -> Settled {
        let retryAt = retryAfter.map { library.currentTime.later(by: $0) }
        try library.noteFailure(podcast, failure.reason, retryAt: retryAt)
        return Settled(outcome: .failed(failure, retryAfter: retryAfter))
    }

    private func moving(
        _ settled: Settled, _ answer: FeedAnswer, announced: String?
    ) throws(LibraryError) -> Settled {
        var settled = settled
        let move = FeedMove.decide(
            from: report.order.url, redirectedTo: answer.permanentURL, announcing: announced, isRead: true,
            isProven: answer.isProven)
        switch move {
        case .moved(let url):
            let move = try library.moveFeed(
                podcast, to: url, because: "a permanent redirect",
                keepsLogin: FeedAddress(url).isToldThePassword(of: FeedAddress(report.order.url)))
            switch move {
            case .moved: settled.newAddress = url
            case .taken: settled.takenAddress = url
            case .declined: break
            }
        // A password that a feed tells everybody is none of this podcast's, and is not kept with its address.
        case .announced(let url):
            settled.announced = (try? BareURL(url)).map { report.order.at($0.text, named: answer.source) }
        // Nothing moves by that, but a podcast that is there already need not come twice.
        case .refused(let url, .unproven) where answer.permanentURL == url:
            if let other = try library.podcast(at: url), other.id != podcast { settled.takenAddress = url }
        case .stays, .refused: break
        }
        return settled
    }
}

extension FeedAnswer {
    /// The same, with nothing to know it again by.
    fileprivate var forgotten: FeedAnswer {
        FeedAnswer(version: FeedVersion(), permanentURL: permanentURL, source: source, isProven: isProven)
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
    /// - Parameter reach: of an address that somebody has just named; `nil` for one that was asked before: a public
    ///   feed stays public, whatever its name leads to now.
    init(_ feed: SubscribedFeed, isFull: Bool, reach: AddressReach? = nil) {
        let conditions = RequestConditions(etag: feed.state.etag, lastModified: feed.state.lastModified)
        self.init(
            id: feed.id, url: feed.url,
            known: FeedVersion(conditions: conditions, hash: feed.state.bodyKey.map { UInt64(bitPattern: $0) }),
            isFull: isFull,
            credentials: feed.login.map { Credentials(user: $0.user, password: $0.password) },
            wantsOlderPages: feed.state.fullAt == nil,
            reach: reach ?? Self.reach(of: feed))
    }

    /// One that has never answered comes from an imported list.
    private static func reach(of feed: SubscribedFeed) -> AddressReach {
        if feed.state.goodAt == nil { return .listed(feed.url) }
        return feed.state.isPublic ? .publicOnly() : .any
    }

    /// The same podcast, as it is at another address. Its password is for its own origin alone.
    /// - Parameter source: of the answer that names the address.
    func at(_ url: String, named source: AddressClass?) -> RefreshOrder {
        var order = self
        order.url = url
        order.reach = reach.named(by: source)
        order.known = FeedVersion()
        if !FeedAddress(url).isToldThePassword(of: FeedAddress(self.url)) { order.credentials = nil }
        return order
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
