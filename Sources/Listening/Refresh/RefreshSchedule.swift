// SPDX-License-Identifier: GPL-3.0-or-later
public import Podcasts

/// When a feed is asked for news.
public enum RefreshSchedule: Sendable, Equatable {
    case due(isFull: Bool)
    case notBefore(UTCTime)
    /// The server has asked to be left alone until then, whoever asks.
    case quiet(until: UTCTime)
    /// It is gone.
    case never

    /// Between two refreshes that nobody has asked for.
    static let rest = Duration.seconds(3600)
    static let longestRest = Duration.seconds(86_400)
    /// In seconds.
    static let longestBackoff: Int64 = 7 * 86_400
    /// As long as an answer of the server is obeyed; `ResponseHead.retryDelay` knows no longer one.
    static let longestQuiet = Duration.seconds(3600)
    /// How long it is believed that nothing has changed: some servers say so for ever.
    static let trust = (time: Duration.seconds(7 * 86_400), answers: 20)

    /// - Parameters:
    ///   - isAsked: whether the listener wants it now, and not only some timer.
    ///   - jitter: 0 ..< 1, to keep many listeners from coming back at once.
    public static func decide(
        _ history: FeedHistory, at now: UTCTime, isAsked: Bool = false, jitter: Double
    ) -> RefreshSchedule {
        if history.isGone { return .never }
        if let quiet = history.quietUntil, now < quiet, quiet <= now.later(by: longestQuiet) {
            return .quiet(until: quiet)
        }
        // What was tried in the future was tried by a clock that was wrong.
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

    /// An hour, then doubled with each failure; chance shortens it by a quarter at most.
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
