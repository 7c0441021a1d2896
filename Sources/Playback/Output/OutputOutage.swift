// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The loss of the output: it determines when to retry, and whether sound may resume automatically afterwards. A pure
/// value on the caller's clock.
public struct OutputOutage: Sendable, Equatable {
    /// The longest outage after which playback resumes automatically: after a longer one, sudden sound would startle
    /// the listener.
    static let longestUnnoticed = Duration.seconds(300)
    private static let firstDelay = Duration.milliseconds(500)
    private static let longestDelay = Duration.seconds(5)

    public let reason: MediaFailure
    private let began: Duration
    private var delay = firstDelay
    private var nextAttempt: Duration
    /// The number of attempts, including the current one, whose number it is.
    public private(set) var attempts = 0
    private var isTrying = false

    public init(_ reason: MediaFailure, at now: Duration) {
        self.reason = reason
        began = now
        nextAttempt = now + Self.firstDelay
    }

    /// Starts an attempt if one is due.
    /// - Returns: true if an attempt starts now.
    public mutating func beginAttempt(at now: Duration) -> Bool {
        guard !isTrying, now >= nextAttempt else { return false }
        isTrying = true
        attempts += 1
        return true
    }

    /// Ends the current attempt as failed; also if the output was lost again right after it.
    public mutating func failedTry(at now: Duration) {
        guard isTrying else { return }
        isTrying = false
        delay = min(delay * 2, Self.longestDelay)
        nextAttempt = now + delay
    }

    /// Returns true if attempt `number` is in progress.
    public func isInProgress(_ number: Int) -> Bool { isTrying && number == attempts }

    /// Returns true if the outage is so short that sound may resume automatically.
    public func allowsAutomaticResume(at now: Duration) -> Bool { now - began <= Self.longestUnnoticed }
}
