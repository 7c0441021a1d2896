// SPDX-License-Identifier: GPL-3.0-or-later
public import Podcasts

/// What is known of the refreshes of a feed; decides when the next one is due. Pure.
public struct FeedHistory: Sendable, Equatable {
    public var lastTried: UTCTime?
    /// When the whole was asked for, or came.
    public var lastFull: UTCTime?
    /// Answers since then that nothing has changed.
    public var answersSinceFull = 0
    /// In a row, until now.
    public var failures = 0
    /// The server has asked to be left alone until then.
    public var quietUntil: UTCTime?
    public var isGone = false
    /// How often it says it has a new episode (`podcast:updateFrequency`).
    public var rhythm: Duration?

    public init() {}
}
