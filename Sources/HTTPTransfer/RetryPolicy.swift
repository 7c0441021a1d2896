// SPDX-License-Identifier: GPL-3.0-or-later

/// Decides if and when a failed attempt is repeated. Pure: the caller passes in the time and the random value.
///
/// A hopeless start fails within two seconds; once bytes are stored, a long retry period keeps the audio playing. While
/// each attempt brings a kilobyte, the retries do not end: some proxies close each connection soon. Only the delay
/// grows then, if the bytes are few.
public struct RetryPolicy: Sendable, Equatable {
    /// The reason why the last attempt ended.
    public enum FailureCause: Sendable, Equatable {
        case transfer(TransferError)
        /// The server answered that it is temporarily unable to serve the request (`RangeVerdict.retry`).
        case answer(retryAfter: Duration?)

        /// The delay that the server requests.
        package var requestedDelay: Duration? { if case .answer(let delay) = self { delay } else { nil } }
    }

    /// The decision about a failed attempt.
    public enum Decision: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// The number of new bytes after which an attempt resets the delay: a second of sound at a common bit rate.
    public static let progress: Int64 = 16 * 1024
    /// The number of new bytes that show a server which still sends: a file would otherwise take months.
    static let leastProgress: Int64 = 1024
    public static let budget = (tries: 10, time: Duration.seconds(300))
    public static let longestBackoff = Duration.seconds(30)
    /// The longest delay that a server may request; a longer one ends the retries.
    public static let maximumRetryAfter = Duration.seconds(3600)
    private static let firstBackoff = Duration.milliseconds(500)
    /// Before the first byte: two retries for a server with a temporary problem, all within two seconds.
    private static let quickRetries: [Duration] = [.milliseconds(300), .milliseconds(800)]
    /// The number of attempts before the first byte, for a server that requests a delay but fails again afterwards.
    private static let askedTries = 5

    /// True if any byte of a body was received.
    public private(set) var hasReceived: Bool
    /// Failures since an attempt that brought a kilobyte.
    public private(set) var failures = 0
    /// Failures that lengthen the delay.
    private var delaySteps = 0
    /// The delay after an attempt with few new bytes grows up to that of this step, 4 seconds.
    private static let slowStep = 3
    /// True if the server requested a delay before the next attempt.
    private var isDelayRequested = false
    /// The time of the first failure since an attempt that brought a kilobyte.
    private var failingSince: Duration?

    /// The number of attempts left if none of them brings a kilobyte.
    public var attemptsLeft: Int { max(0, attemptLimit - failures) }

    private var attemptLimit: Int {
        if hasReceived { return Self.budget.tries }
        return isDelayRequested ? Self.askedTries : Self.quickRetries.count + 1
    }

    /// - Parameter hasReceived: true if bytes are stored from an earlier run.
    public init(hasReceived: Bool = false) {
        self.hasReceived = hasReceived
    }

    /// Decides about a failed attempt.
    ///
    /// - Parameters:
    ///   - received: the number of body bytes that the failed attempt received and that were not stored before, or
    ///     that were compared with stored ones for the first time.
    ///   - now: the time on a monotonic clock with any fixed origin.
    ///   - jitter: a random value in 0 ..< 1, to keep many listeners from returning at the same time.
    public mutating func decide(
        _ trouble: FailureCause, received: Int64, at now: Duration, jitter: Double
    ) -> Decision {
        note(received: received, at: now)
        if case .answer(retryAfter: .some) = trouble { isDelayRequested = true } else { isDelayRequested = false }
        guard trouble.isTemporary(hasReceived: hasReceived), failures < attemptLimit else { return .giveUp }
        guard let delay = delay(trouble, jitter: jitter) else { return .giveUp }
        if case .answer(retryAfter: .some) = trouble {
            // The delay that the server requests does not count against the time budget.
            failingSince = failingSince.map { $0 + delay }
            return .retry(after: delay)
        }
        let spent = now - (failingSince ?? now)
        return spent + delay <= Self.budget.time ? .retry(after: delay) : .giveUp
    }
}

extension RetryPolicy {
    private mutating func note(received: Int64, at now: Duration) {
        if received > 0 { hasReceived = true }
        if received >= Self.leastProgress {
            (failures, failingSince) = (0, nil)
            delaySteps = received >= Self.progress ? 0 : min(delaySteps, Self.slowStep - 1)
        }
        failures += 1
        delaySteps += 1
        failingSince = failingSince ?? now
    }

    private func delay(_ trouble: FailureCause, jitter: Double) -> Duration? {
        if case .answer(let asked?) = trouble {
            guard asked <= (hasReceived ? Self.maximumRetryAfter : Self.longestBackoff) else { return nil }
            return max(asked, hasReceived || failures > Self.quickRetries.count ? doubled(jitter) : .zero)
        }
        guard hasReceived else {
            return failures <= Self.quickRetries.count ? Self.quickRetries[failures - 1] : nil
        }
        return doubled(jitter)
    }

    /// Returns half a second after the first failure, then 2, 4, 8 seconds and so on: six attempts in the first
    /// minute.
    private func doubled(_ jitter: Double) -> Duration {
        let doubled = delaySteps == 1 ? Self.firstBackoff : .seconds(1 << min(delaySteps - 1, 8))
        let spread = 1 + min(max(jitter, 0), 1) / 2
        return min(doubled * spread, Self.longestBackoff)
    }
}

extension RetryPolicy.FailureCause {
    /// Returns true if the failure may be temporary. An unknown or unreachable host is final before the first byte.
    fileprivate func isTemporary(hasReceived: Bool) -> Bool {
        guard case .transfer(let error) = self else { return true }
        switch error {
        case .unknownHost, .cannotConnect: return hasReceived
        default: return error.isTransient
        }
    }
}
