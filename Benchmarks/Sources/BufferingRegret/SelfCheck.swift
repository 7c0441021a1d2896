// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring

/// Compares the clairvoyant with an exhaustive search, and both the clairvoyant and the rules with links of known
/// outcome.
struct SelfCheck {
    private static let seconds = 3

    private(set) var mistakes: [String] = []

    init(seed: UInt64, traces: Int = 200) {
        var chance = SeededGenerator(seed: seed)
        for trace in 0..<traces { search(Self.random(&chance), trace) }
        for speed in [0.5, 0.8, 1, 2] { expectKnown(speed) }
    }

    private static func random(_ chance: inout SeededGenerator) -> Delivery {
        let steps = (0..<40).map { _ in chance.between(0, 1) < 0.5 ? chance.between(0, 1) : 0 } + [0.1]
        let whole = steps.reduce(0, +)
        var arrived = steps.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1 / whole * 100) }
        let complete = arrived.firstIndex { $0 >= 100 - 1e-9 } ?? arrived.count - 1
        arrived[complete] = 100
        let offsets = (0...seconds).map { 100 * Double($0) / Double(seconds) }
        return Delivery(
            of: Episode(offsets: offsets, nominalRate: 100 / Double(seconds)), arrived: Array(arrived[...complete]))
    }

    private mutating func search(_ delivery: Delivery, _ trace: Int) {
        for cost in [.usual] + ListenerCost.others {
            // The traces are short, so the times are scaled down; otherwise a stall would never pay.
            var short = cost
            short.patience /= 30
            short.stall /= 30
            let (best, found) = (Self.least(delivery, short), Clairvoyant(delivery).cost(short))
            if abs(best - found) > 1e-6 { mistakes.append("trace \(trace): cost \(found), but \(best) is possible") }
        }
    }

    /// Returns the least cost over every way to delay each tick of audio.
    private static func least(_ delivery: Delivery, _ cost: ListenerCost) -> Double {
        let ticks = seconds * Tick.second
        let needs = (0..<ticks).map { delivery.tick(of: Double($0 + 1) * Tick.seconds) - $0 }
        let earliest = delivery.tick(of: Playthrough.least)
        let longest = max(earliest, needs.max() ?? 0)
        // The remaining cost from a tick of audio on, by the delay before it.
        var ahead = Array(repeating: 0.0, count: longest + 1)
        for tick in stride(from: ticks - 1, through: 0, by: -1) {
            ahead = (0...longest).map { delay in
                let later = tick > 0 ? max(delay, needs[tick]) : delay
                return (later...longest).reduce(.infinity) { best, next in
                    guard next >= needs[tick], next == delay || tick > 0 else { return best }
                    let stalled = Double(next - delay) * Tick.seconds
                    return min(best, ahead[next] + (next > delay ? cost.stall + cost.stalledSecond * stalled : 0))
                }
            }
        }
        return (earliest...longest).map { cost.start(Double($0) * Tick.seconds) + ahead[$0] }.min() ?? .infinity
    }

    /// Checks a link of a constant rate, given as a multiple of the bit rate.
    private mutating func expectKnown(_ speed: Double) {
        let episode = Episode(offsets: (0...600).map { 16000 * Double($0) }, nominalRate: 16000)
        let ticks = Tick.count(episode.duration / speed)
        let arrived = (0...ticks).map { min(episode.size, Double($0) * Tick.seconds * speed * 16000) }
        let delivery = Delivery(of: episode, arrived: arrived.dropLast() + [episode.size])
        let start = Double(Clairvoyant(delivery).start) * Tick.seconds
        let known = max(episode.duration / speed - episode.duration, Playthrough.least / speed)
        if abs(start - known) > 0.35 { mistakes.append("at speed \(speed): starts at \(start) s, expected \(known) s") }
        for rule in Rules.all {
            let heard = Playthrough(of: delivery, by: rule)
            let silent = heard.startUp + heard.stalled
            if silent < start - 0.11 {
                mistakes.append("\(rule.name) at speed \(speed): silent for \(silent) s, expected \(start) s")
            }
        }
        let hand = min(1, speed) * (start + 0.2)
        let patient = Playthrough(of: delivery, by: Thresholds(name: "patient", start: hand, resume: 1))
        if patient.stalls > 0 { mistakes.append("at speed \(speed): a stall after \(start) s of buffering") }
    }
}
