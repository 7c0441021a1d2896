// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An output that has gone: when it is tried again, and whether sound may go on by itself when it is back. A pure value
/// on the caller's clock.
public struct OutputOutage: Sendable, Equatable {
    /// After so long people do other things where the sound was: going on would startle them.
    static let longestUnnoticed = Duration.seconds(300)
    private static let firstDelay = Duration.milliseconds(500)
    private static let longestDelay = Duration.seconds(5)

    public let reason: MediaFailure
    private let began: Duration
    private var delay = firstDelay
    private var nextTry: Duration
    /// How many tries there were, the one under way among them: its number.
    public private(set) var tries = 0
    private var isTrying = false

    public init(_ reason: MediaFailure, at now: Duration) {
        self.reason = reason
        began = now
        nextTry = now + Self.firstDelay
    }

    /// - Returns: whether a try begins now.
    public mutating func beginsTry(at now: Duration) -> Bool {
        guard !isTrying, now >= nextTry else { return false }
        isTrying = true
        tries += 1
        return true
    }

    /// The try under way came to nothing, or what it brought has gone already.
    public mutating func failedTry(at now: Duration) {
        guard isTrying else { return }
        isTrying = false
        delay = min(delay * 2, Self.longestDelay)
        nextTry = now + delay
    }

    /// Whether try `number` is the one under way.
    public func isUnderWay(_ number: Int) -> Bool { isTrying && number == tries }

    public func isUnnoticed(at now: Duration) -> Bool { now - began <= Self.longestUnnoticed }
}
