// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// `podcast:updateFrequency`: the expected frequency of new episodes.
public struct ParsedUpdateFrequency: Sendable, Equatable {
    /// A description for display.
    public var text: String?
    /// A recurrence rule (RFC 5545, 3.3.10) as written in the feed: `FREQ=WEEKLY`.
    public var recurrenceRule: String?
    /// The start of the recurrence.
    public var start: UTCTime?
    /// True if the show has ended.
    public var isComplete = false

    public init() {}
}
