// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The outcome of one rule for one episode.
struct Outcome {
    let startUp: Double
    let stalls: Int
    /// The duration in seconds of audio.
    let duration: Double
    /// The cost in excess of the best possible one.
    let regret: Double
    let best: Double
}

/// The outcomes of one rule. All families have the same weight, regardless of the length of their episodes.
struct Outcomes {
    let name: String
    private(set) var families: [[Outcome]] = []

    init(name: String) { self.name = name }

    mutating func beginFamily() { families.append([]) }

    mutating func add(_ heard: Playthrough, of delivery: Delivery, best: Double) {
        let cost = ListenerCost.usual.of(heard)
        families[families.count - 1].append(
            Outcome(
                startUp: heard.startUp, stalls: heard.stalls, duration: delivery.episode.duration, regret: cost - best,
                best: best))
    }

    func mean(inFamily family: Int, of value: (Outcome) -> Double) -> Double { families[family].map(value).mean }

    /// Returns the mean of the families' means.
    func mean(_ value: (Outcome) -> Double) -> Double { families.map { $0.map(value).mean }.mean }

    var startUps: [Double] { families.joined().map(\.startUp).sorted() }
    var stallsPerHour: Double { 3600 * mean { Double($0.stalls) } / mean(\.duration) }

    /// Returns the mean excess of this rule's regret over that of the other on the same episodes, and half of its 95
    /// % confidence interval.
    func excess(over other: Outcomes) -> (mean: Double, margin: Double) {
        let differences = zip(families, other.families).map { mine, others in
            zip(mine, others).map { $0.regret - $1.regret }
        }
        let variances = differences.map { $0.variance / Double(max(1, $0.count)) }
        let count = Double(max(1, variances.count))
        return (differences.map(\.mean).mean, 1.96 * variances.reduce(0, +).squareRoot() / count)
    }
}

extension [Double] {
    var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

    var variance: Double {
        let middle = mean
        return count < 2 ? 0 : reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(count - 1)
    }

    /// Returns a quantile of sorted numbers; 0 if there are none.
    func quantile(_ part: Double) -> Double {
        isEmpty ? 0 : self[Swift.min(count - 1, Swift.max(0, Int((Double(count) * part).rounded(.up)) - 1))]
    }
}
