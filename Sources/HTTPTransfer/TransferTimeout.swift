// SPDX-License-Identifier: GPL-3.0-or-later

/// Detects a request that exceeds a timeout. Pure: the caller passes in the time.
///
/// Every byte of an enclosure is useful, so a slow connection is dropped only when it stalls: a new connection would
/// not be faster, and repeated attempts would flood the server. A feed is useful only as a whole, so it requires a
/// minimum speed.
struct TransferTimeout {
    private enum Stage {
        /// libcurl has its own timeout for this stage.
        case connecting
        case waiting(since: ContinuousClock.Instant)
        case receiving(since: ContinuousClock.Instant, last: ContinuousClock.Instant, count: Int64)
    }

    private let limits: TransferLimits
    private let mustGetOn: Bool
    private let timeoutFactor: Int
    private var state = Stage.connecting

    /// - Parameter timeoutFactor: a factor for the timeout of the first byte.
    init(limits: TransferLimits, for codings: ContentCodings, timeoutFactor: Int = 1) {
        self.limits = limits
        self.timeoutFactor = timeoutFactor
        mustGetOn = codings == .compressed
    }

    /// Begins again, for another hop.
    mutating func restart() { state = .connecting }

    mutating func requestSent(at now: ContinuousClock.Instant) {
        state = .waiting(since: now)
    }

    /// Records bytes of a body; those of a redirect do not count.
    mutating func received(_ count: Int, at now: ContinuousClock.Instant) {
        if case .receiving(let start, _, let sum) = state {
            state = .receiving(since: start, last: now, count: sum + Int64(count))
        } else {
            state = .receiving(since: now, last: now, count: Int64(count))
        }
    }

    var stage: TransferError.Stage {
        switch state {
        case .connecting: .connecting
        case .waiting: .waiting
        case .receiving: .receiving
        }
    }

    /// The time at which the transfer times out if no data arrives before.
    var deadline: ContinuousClock.Instant? {
        switch state {
        case .connecting: return nil
        case .waiting(let start): return start + limits.responseTimeout * max(1, timeoutFactor)
        case .receiving(let start, let last, let count):
            let silence = last + limits.stallTimeout
            guard mustGetOn else { return silence }
            let earned = Duration.seconds(count / Int64(max(1, limits.leastSpeed)))
            return min(silence, start + max(limits.slowTime, earned))
        }
    }
}
