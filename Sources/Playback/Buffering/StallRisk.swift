// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The probability that sound stops for lack of bytes before the end, and the time until then.
public struct StallRisk: Sendable, Equatable {
    /// The probability, 0 ... 1.
    public var probability: Double
    /// The listening time until sound stops if bytes keep arriving at the measured rate; `nil` if they arrive in
    /// time.
    public var time: Duration?

    public static let none = StallRisk(chance: 0, time: nil)

    public init(chance: Double, time: Duration?) {
        self.probability = chance
        self.time = time
    }

    /// - Parameters:
    ///   - stalls: the number of stalls of this item in this session.
    ///   - share: the part of the measured rate that is left to the item.
    /// - Returns: `nil` if too little is known, for example without a length.
    public init?(_ level: BufferLevel, stalls: Int, share: Double = 1) {
        if level.isWhole {
            self = .none
            return
        }
        if level.isStalled {
            (probability, time) = (1, .seconds(level.bufferedSeconds))
            return
        }
        guard let throughput = level.throughput, let missing = level.missing, let rest = level.remainingSeconds,
            let need = level.requiredRateAhead, need > 0
        else { return nil }
        let rate = share * min(throughput.mean, max(throughput.long, throughput.mean / 50))
        let hand = max(0.1, level.bufferedSeconds)
        let arrives = rate / need
        time = arrives < 1 ? .seconds(min(hand / (1 - arrives), 1e6)) : nil
        let download = max(1, Double(missing)) / max(rate, 1e-3)
        let odds = Self.weights.constant
            + Self.weights.pace * log(download / max(0.1, rest))
            + Self.weights.depth * log(download / hand)
            + Self.weights.history * Double(min(stalls, 3))
        probability = 1 / (1 + exp(-max(-30, min(30, odds))))
    }

    /// The weights of a logistic regression over simulated links.
    private static let weights = (constant: -3.8, pace: 2.4, depth: 0.7, history: 0.9)
}

extension StallRisk {
    /// Returns true if the items after this one may take half of the link from it.
    static func isSafe(_ level: BufferLevel, stalls: Int) -> Bool {
        StallRisk(level, stalls: stalls, share: 0.5).map { $0.probability <= 0.02 } ?? false
    }
}
