// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The decision when a feed is refreshed.
public enum RefreshSchedule: Sendable, Equatable {
    case due(isFull: Bool)
    case notBefore(UTCTime)
    /// The server asked for a pause until then; it also applies if the listener asks for a refresh.
    case quiet(until: UTCTime)
    /// The feed no longer exists.
    case never

    /// The shortest interval between two automatic refreshes.
    static let minimumInterval = Duration.seconds(3600)
    static let longestRest = Duration.seconds(86_400)
    /// The longest backoff, in seconds.
    static let longestBackoff: Int64 = 7 * 86_400
    /// The longest pause that a server can ask for; `ResponseHead.retryDelay` returns no longer one.
    static let longestQuiet = Duration.seconds(3600)
    /// The limits on reports of no change, after which the whole feed is requested: some servers never report a
    /// change.
    static let trust = (time: Duration.seconds(7 * 86_400), answers: 20)

    /// Decides whether the feed is due.
    /// - Parameters:
    ///   - isAsked: true if the listener asked for the refresh; false for an automatic one.
    ///   - jitter: a random number in 0 ..< 1 that spreads the requests of many clients.
    public static func decide(
        _ history: FeedHistory, at now: UTCTime, isAsked: Bool = false, jitter: Double
    ) -> RefreshSchedule {
        if history.isGone { return .never }
        if let quiet = history.quietUntil, now < quiet, quiet <= now.later(by: longestQuiet) {
            return .quiet(until: quiet)
        }
        // A last attempt in the future was recorded by a wrong clock.
        if !isAsked, let last = history.lastTried, last <= now {
            let next = last.later(by: pause(history, jitter))
            if now < next { return .notBefore(next) }
        }
        return .due(isFull: isFull(history, at: now))
    }

    private static func pause(_ history: FeedHistory, _ jitter: Double) -> Duration {
        if history.failures > 0 { return backoff(history.failures, jitter) }
        guard let rhythm = history.rhythm else { return minimumInterval }
        return min(max(rhythm / 8, minimumInterval), longestRest)
    }

    /// Returns an hour, doubled with each further failure; `jitter` shortens it by up to a quarter.
    private static func backoff(_ failures: Int, _ jitter: Double) -> Duration {
        let seconds = min(3600 << min(failures - 1, 8), longestBackoff)
        let share = 0..<1 ~= jitter ? jitter / 4 : 0
        return .seconds(seconds - Int64(Double(seconds) * share))
    }

    private static func isFull(_ history: FeedHistory, at now: UTCTime) -> Bool {
        // The server refuses a page of the feed: all pages are requested after every twenty answers.
        guard let last = history.lastFull else { return history.answersSinceFull.isMultiple(of: trust.answers) }
        guard last <= now, history.answersSinceFull < trust.answers else { return true }
        return last.later(by: trust.time) <= now
    }
}

/// The refresh history of a feed, from which `RefreshSchedule` decides when the next refresh is due. Pure.
public struct FeedHistory: Sendable, Equatable {
    public var lastTried: UTCTime?
    /// The time at which the whole document was last requested or received.
    public var lastFull: UTCTime?
    /// The number of answers since then, or since the first one.
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

/// The frequency of a recurrence rule. Source: RFC 5545, 3.3.10.
enum RecurrenceRule {
    /// Returns the approximate interval between two occurrences; the days on which they fall are ignored.
    /// - Returns: `nil` if the text is not a recurrence rule.
    static func rhythm(_ rule: String) -> Duration? {
        var parts: [Substring: Substring] = [:]
        for part in rule.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { parts[pair[0]] = pair[1] }
        }
        guard let frequency = parts["FREQ"], let period = seconds[frequency] else { return nil }
        let interval = parts["INTERVAL"].flatMap { Int($0) }.flatMap { (1...1000).contains($0) ? $0 : nil } ?? 1
        let days = parts["BYDAY"].map { $0.split(separator: ",").count } ?? 1
        return .seconds(period * interval / max(1, days))
    }

    private static let seconds: [Substring: Int] = [
        "HOURLY": 3_600, "DAILY": 86_400, "WEEKLY": 7 * 86_400, "MONTHLY": 30 * 86_400, "YEARLY": 365 * 86_400,
    ]
}
