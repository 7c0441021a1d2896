// SPDX-License-Identifier: GPL-3.0-or-later
public import Podcasts

/// `podcast:updateFrequency`: how often new episodes are to be expected.
public struct ParsedUpdateFrequency: Sendable, Equatable {
    /// In words, for reading.
    public var text: String?
    /// A recurrence rule (RFC 5545, 3.3.10), as it stands: `FREQ=WEEKLY`.
    public var recurrenceRule: String?
    /// Where the rule begins to count.
    public var start: UTCTime?
    /// No more episodes will come.
    public var isComplete = false

    public init() {}
}
