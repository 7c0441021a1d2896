// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A rule that plays if a Brownian motion with the drift and the variance of the link is unlikely to run dry.
struct RuinBound: Rule {
    let name = "Brownian ruin bound"
    /// The number of ticks whose rate is one sample of the variance.
    private static let block = 5 * Tick.second
    /// The weight of the assumed variance, as a number of samples.
    private static let prior = 8.0

    func plays(_ moment: Moment) -> Bool {
        let begun = moment.hasBegun
        let patience = begun ? min(240, 60 * pow(1.5, Double(moment.stalls))) : 8
        if moment.waited >= patience, moment.hand >= 15 { return true }
        guard moment.hand >= (begun ? 6 : 4) else { return false }
        guard let missing = moment.missing, let duration = moment.duration else {
            return moment.hand >= (begun ? 10 : 3)
        }
        let need = missing / max(0.1, duration - moment.media)
        let speed = moment.arrived / max(0.3, moment.seconds) / need
        guard speed > 0 else { return false }
        let time = missing / need / speed
        let variance = variance(moment, need: need, speed: speed) * (1 + time / max(1, moment.seconds))
        return Self.ruin(moment.hand, drift: speed - 1, variance: variance, within: time) <= (begun ? 0.3 : 0.7)
    }

    /// Returns the variance per second of the audio that arrives in a second.
    private func variance(_ moment: Moment, need: Double, speed: Double) -> Double {
        let blocks = moment.age / Self.block
        let seconds = Double(Self.block) * Tick.seconds
        guard blocks >= 2 else { return speed * speed }
        let speeds = (0..<blocks).map { block in
            let later = moment.arrived(ticksAgo: block * Self.block)
            return (later - moment.arrived(ticksAgo: (block + 1) * Self.block)) / seconds / need
        }
        let count = Double(blocks)
        let mean = speeds.reduce(0, +) / count
        let spread = speeds.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (Self.prior * speed * speed + spread * seconds) / (Self.prior + count)
    }

    /// Returns the probability that the buffer level falls by `hand` at some time.
    private static func ruin(_ hand: Double, drift: Double, variance: Double, within time: Double) -> Double {
        guard time > 0 else { return 0 }
        let deviation = (variance * time).squareRoot()
        let fallen = exp(logNormal((-hand - drift * time) / deviation))
        let returned = logNormal((-hand + drift * time) / deviation) - 2 * drift * hand / variance
        return min(1, fallen + exp(min(0, returned)))
    }

    /// Returns the logarithm of the normal distribution, also for values far from the mean.
    private static func logNormal(_ x: Double) -> Double {
        guard x <= -8 else { return log(max(1e-300, 0.5 * erfc(-x / 2.0.squareRoot()))) }
        return -x * x / 2 - log(-x * (2 * Double.pi).squareRoot())
    }
}
