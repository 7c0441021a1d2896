// SPDX-License-Identifier: GPL-3.0-or-later

/// Decides whether and when a failed try is repeated. Pure: time and chance are passed in.
///
/// A start that is hopeless is known within two seconds; once bytes are held, patience is what keeps the sound going.
public struct RetryPolicy: Sendable, Equatable {
    /// What ended the last try.
    public enum Trouble: Sendable, Equatable {
        case transfer(TransferError)
        /// The server answered that it cannot now (`RangeVerdict.retry`).
        case answer(retryAfter: Duration?)
    }

    public enum Decision: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// A try that brought this much starts the count anew.
    public static let progress: Int64 = 64 * 1024
    public static let budget = (tries: 10, time: Duration.seconds(300))
    public static let longestBackoff = Duration.seconds(30)
    /// A server that asks for more patience than this is not waited for.
    public static let longestAsked = Duration.seconds(3600)
    private static let firstBackoff = Duration.milliseconds(500)
    /// Before the first byte: a server that hiccups gets two more chances, all within two seconds.
    private static let quickRetries: [Duration] = [.milliseconds(300), .milliseconds(800)]
    /// Before the first byte, of a server that names a time and is no kinder then.
    private static let askedTries = 5

    /// Whether any byte of the body ever came.
    public private(set) var hasReceived: Bool
    /// Failures since the last progress.
    public private(set) var failures = 0
    /// Whether the server named a time for the next try.
    private var isAsked = false
    /// When the first of them happened.
    private var troubleSince: Duration?

    /// How many tries are left, if none of them brings anything.
    public var triesLeft: Int { max(0, tries - failures) }

    private var tries: Int {
        if hasReceived { return Self.budget.tries }
        return isAsked ? Self.askedTries : Self.quickRetries.count + 1
    }

    /// - Parameter hasReceived: whether bytes are held from an earlier run.
    public init(hasReceived: Bool = false) {
        self.hasReceived = hasReceived
    }

    /// - Parameters:
    ///   - received: bytes of body that the failed try brought.
    ///   - now: time on a monotonic clock, from any fixed origin.
    ///   - jitter: 0 ..< 1, to keep many listeners from coming back at once.
    public mutating func decide(
        _ trouble: Trouble, received: Int64, at now: Duration, jitter: Double
    ) -> Decision {
        note(received: received, at: now)
        if case .answer(retryAfter: .some) = trouble { isAsked = true } else { isAsked = false }
        guard trouble.mayPass(hasReceived: hasReceived), failures < tries else { return .giveUp }
        guard let delay = delay(trouble, jitter: jitter) else { return .giveUp }
        if case .answer(retryAfter: .some) = trouble {
            // The server's time is not taken from ours.
            troubleSince = troubleSince.map { $0 + delay }
            return .retry(after: delay)
        }
        let spent = now - (troubleSince ?? now)
        return spent + delay <= Self.budget.time ? .retry(after: delay) : .giveUp
    }
}

extension RetryPolicy {
    private mutating func note(received: Int64, at now: Duration) {
        if received > 0 { hasReceived = true }
        if received >= Self.progress { (failures, troubleSince) = (0, nil) }
        failures += 1
        troubleSince = troubleSince ?? now
    }

    private func delay(_ trouble: Trouble, jitter: Double) -> Duration? {
        if case .answer(let asked?) = trouble {
            guard asked <= (hasReceived ? Self.longestAsked : Self.longestBackoff) else { return nil }
            return max(asked, hasReceived || failures > Self.quickRetries.count ? doubled(jitter) : .zero)
        }
        guard hasReceived else {
            return failures <= Self.quickRetries.count ? Self.quickRetries[failures - 1] : nil
        }
        return doubled(jitter)
    }

    /// Half a second for a connection that broke once, then 2, 4, 8 seconds and so on: six tries in the first minute.
    private func doubled(_ jitter: Double) -> Duration {
        let doubled = failures == 1 ? Self.firstBackoff : .seconds(1 << min(failures - 1, 8))
        let spread = 1 + min(max(jitter, 0), 1) / 2
        return min(doubled * spread, Self.longestBackoff)
    }
}

extension RetryPolicy.Trouble {
    /// Nobody waits for a host that never was there: before the first byte these failures are final.
    fileprivate func mayPass(hasReceived: Bool) -> Bool {
        guard case .transfer(let error) = self else { return true }
        switch error {
        case .unknownHost, .cannotConnect: return hasReceived
        default: return error.isTransient
        }
    }
}
