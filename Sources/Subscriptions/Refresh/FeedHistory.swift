// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The refresh history of a feed, from which `RefreshSchedule` decides when the next refresh is due. Pure.
public struct FeedHistory: Sendable, Equatable {
    public var lastTried: UTCTime?
    /// The time at which the whole document was last requested or received.
    public var lastFull: UTCTime?
    /// The number of answers since then that reported no change.
    public var answersSinceFull = 0
    /// The number of consecutive failures up to now.
    public var failures = 0
    /// The end of a pause that the server asked for.
    public var quietUntil: UTCTime?
    public var isGone = false
    /// The interval between new episodes that the feed announces (`podcast:updateFrequency`).
    public var rhythm: Duration?

    public init() {}
}
