// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
import Media

/// A move of a podcast to the address that its feed announces.
struct AnnouncedMove: Sendable {
    enum Outcome: Sendable, Equatable {
        case moved
        /// Another podcast already has the address.
        case taken(by: PodcastSummary)
        /// No feed could be read at the address. The next refresh requests it again.
        case unread(MediaFailure)
        /// The address leads back, or the listener has undone the move.
        case refused
    }

    /// The order for the announced address.
    let order: RefreshOrder

    /// Moves the podcast if a feed was read at the announced address.
    func apply(_ outcome: RefreshOutcome, to library: Library) throws(LibraryError) -> Outcome {
        switch outcome {
        case .changed(let answer, let feed, _): return try follow(answer, feed, library)
        case .failed(let failure, _): return .unread(failure)
        case .notAFeed(let reason): return .unread(MediaFailure(.badData, reason))
        case .gone: return .unread(MediaFailure(.missing, "the server reports that the feed no longer exists"))
        case .unchanged: return .unread(MediaFailure(.badProtocol, "the server sent no feed"))
        }
    }

    private func follow(_ answer: FeedAnswer, _ feed: ParsedFeed, _ library: Library) throws(LibraryError) -> Outcome {
        guard let left = try library.feeds([order.id]).first?.url else { return .refused }
        guard !leadsBack(answer, feed, to: left) else { return try refuse(library) }
        let move = try library.moveFeed(
            order.id, to: order.url, because: "the feed announces this URL",
            keepsLogin: NormalizedURL(order.url).keepsPassword(of: NormalizedURL(left)))
        switch move {
        case .moved: return .moved
        case .taken(let owner): return .taken(by: try library.podcast(owner))
        case .declined: return try refuse(library)
        }
    }

    private func leadsBack(_ answer: FeedAnswer, _ feed: ParsedFeed, to left: String) -> Bool {
        let next = FeedMove.decide(
            from: order.url, redirectedTo: answer.permanentURL, announcing: feed.newFeedURL, isRead: true,
            isProven: answer.isProven, left: [left])
        if case .refused(_, .circle) = next { return true }
        // Each address announces the other one.
        return feed.newFeedURL.map { NormalizedURL($0) == NormalizedURL(left) } ?? false
    }

    private func refuse(_ library: Library) throws(LibraryError) -> Outcome {
        try library.forgetAnnouncedURL(of: order.id)
        return .refused
    }
}
