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
    static let rest = Duration.seconds(3600)
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
        guard let rhythm = history.rhythm else { return rest }
        return min(max(rhythm / 8, rest), longestRest)
    }

    /// Returns an hour, doubled with each further failure; `jitter` shortens it by up to a quarter.
    private static func backoff(_ failures: Int, _ jitter: Double) -> Duration {
        let seconds = min(3600 << min(failures - 1, 8), longestBackoff)
        let share = 0..<1 ~= jitter ? jitter / 4 : 0
        return .seconds(seconds - Int64(Double(seconds) * share))
    }

    private static func isFull(_ history: FeedHistory, at now: UTCTime) -> Bool {
        guard let last = history.lastFull, last <= now, history.answersSinceFull < trust.answers else { return true }
        return last.later(by: trust.time) <= now
    }
}
