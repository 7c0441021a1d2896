// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
public import HTTPTransfer
public import Media

/// The result of an order.
public struct RefreshReport: Sendable, Equatable {
    public var order: RefreshOrder
    public var outcome: RefreshOutcome

    public init(order: RefreshOrder, outcome: RefreshOutcome) {
        self.order = order
        self.outcome = outcome
    }
}

/// The result of refreshing a feed.
public enum RefreshOutcome: Sendable, Equatable {
    /// The server reported no change, or sent identical bytes.
    case unchanged(FeedAnswer)
    /// The feed without its episodes, which the sink received, and their number. If `isTruncated` is true, another
    /// request may find the rest.
    case changed(FeedAnswer, ParsedFeed, episodes: Int)
    /// The server answered 410: the feed must not be requested again.
    case gone
    /// The response is not a feed; the text is a description as in `FeedError`.
    case notAFeed(String)
    /// - Parameter retryAfter: the delay that the server asked for.
    case failed(MediaFailure, retryAfter: Duration?)
}

/// The information of a response besides the feed in it.
public struct FeedAnswer: Sendable, Equatable {
    /// The version to be used in the next order.
    public var version: FeedVersion
    /// `ResponseHead.permanentURL`.
    public var permanentURL: String?
    /// The class of the address that answered; it determines where the feed's enclosures may be (`AddressScope`).
    public var source: AddressClass?
    /// `ResponseHead.isProven`; if it is false, the feed does not move to an address that the response names.
    public var isProven: Bool

    public init(
        version: FeedVersion, permanentURL: String? = nil, source: AddressClass? = nil, isProven: Bool = false
    ) {
        self.version = version
        self.permanentURL = permanentURL
        self.source = source
        self.isProven = isProven
    }
}

/// The result of one attempt at an order.
enum FeedAttempt: Sendable, Equatable {
    case completed(RefreshOutcome)
    /// A retry may succeed, after the delay that the server asked for, if any.
    case temporaryFailure(MediaFailure, asked: Duration?)
    case cancelled
}
