// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
public import HTTPTransfer
public import Media

/// What became of an order.
public struct RefreshReport: Sendable, Equatable {
    public var order: RefreshOrder
    public var outcome: RefreshOutcome

    public init(order: RefreshOrder, outcome: RefreshOutcome) {
        self.order = order
        self.outcome = outcome
    }
}

public enum RefreshOutcome: Sendable, Equatable {
    /// The server says so, or has sent the very bytes again.
    case unchanged(FeedAnswer)
    /// The feed without its episodes, which the sink has taken, so many of them.
    case changed(FeedAnswer, ParsedFeed, episodes: Int)
    /// 410: it is never to be asked for again.
    case gone
    /// Something came, but no feed; a phrase as `FeedError` has it.
    case notAFeed(String)
    /// - retryAfter: how long the server asked to be left alone.
    case failed(MediaFailure, retryAfter: Duration?)
}

/// What an answer says beside the feed in it.
public struct FeedAnswer: Sendable, Equatable {
    /// To be kept for the next order.
    public var version: FeedVersion
    /// `ResponseHead.permanentURL`.
    public var permanentURL: String?
    /// Who answered; decides where the feed's enclosures may be (`AddressReach`).
    public var source: AddressClass?
    /// `ResponseHead.isProven`: else the feed does not move, whatever the answer says.
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

/// What became of one try at an order.
enum FeedAttempt: Sendable, Equatable {
    case settled(RefreshOutcome)
    /// It may work soon, or when the server has asked to be tried again.
    case trouble(MediaFailure, asked: Duration?)
    case cancelled
}
