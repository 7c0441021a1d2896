// SPDX-License-Identifier: GPL-3.0-or-later

/// Notices that a request has waited too long. Pure: the time is passed in.
///
/// An enclosure is of use byte by byte, so a slow connection is dropped only when it falls silent: a new one would be
/// no faster, and trying would be a storm of them. A feed is of use only whole, so it must get on.
struct TransferWatch {
    private enum Stage {
        /// libcurl has a limit of its own for this.
        case connecting
        case waiting(since: ContinuousClock.Instant)
        case receiving(since: ContinuousClock.Instant, last: ContinuousClock.Instant, count: Int64)
    }

    private let limits: TransferLimits
    private let mustGetOn: Bool
    private let patience: Int
    private var state = Stage.connecting

    /// - Parameter patience: multiplies the limit for the first byte.
    init(limits: TransferLimits, for codings: ContentCodings, patience: Int = 1) {
        self.limits = limits
        self.patience = patience
        mustGetOn = codings == .compressed
    }

    mutating func requestSent(at now: ContinuousClock.Instant) {
        state = .waiting(since: now)
    }

    /// Bytes of a body have come; those of a redirect do not count.
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

    /// When the transfer is to be given up unless something comes before.
    var deadline: ContinuousClock.Instant? {
        switch state {
        case .connecting: return nil
        case .waiting(let start): return start + limits.answer * max(1, patience)
        case .receiving(let start, let last, let count):
            let silence = last + limits.silence
            guard mustGetOn else { return silence }
            let earned = Duration.seconds(count / Int64(max(1, limits.leastSpeed)))
            return min(silence, start + max(limits.slowTime, earned))
        }
    }
}
