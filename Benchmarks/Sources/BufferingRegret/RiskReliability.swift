// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// Compares the frequency of stalls with the prediction of `StallRisk`, sampled every two seconds of audio while
/// bytes are missing. All families have the same weight, and so do the episodes of a family.
struct RiskReliability {
    struct Bin {
        let range: Range<Double>
        var weight = 0.0
        var said = 0.0
        var observed = 0.0
    }

    private static let edges = [0, 0.02, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 1.01]
    private static let step = 2 * Tick.second

    private var family: [(said: Double, stalled: Bool, weight: Double)] = []
    private(set) var bins = zip(edges, edges.dropFirst()).map { Bin(range: $0..<$1) }

    mutating func add(_ heard: Playthrough, of delivery: Delivery) {
        let cases = heard.silences.indices.flatMap { Self.cases(after: $0, of: heard, delivery) }
        family += cases.map { ($0.said, $0.stalled, 1 / Double(cases.count)) }
    }

    mutating func endFamily() {
        let whole = family.reduce(0) { $0 + $1.weight }
        for (said, stalled, weight) in family {
            guard let bin = bins.firstIndex(where: { $0.range.contains(said) }) else { continue }
            bins[bin].weight += weight / whole
            bins[bin].said += said * weight / whole
            bins[bin].observed += stalled ? weight / whole : 0
        }
        family = []
    }

    private static func cases(
        after number: Int, of heard: Playthrough, _ delivery: Delivery
    ) -> [(said: Double, stalled: Bool)] {
        let silence = heard.silences[number]
        let next = number + 1 < heard.silences.count ? heard.silences[number + 1].firstTick : nil
        let end = min(delivery.complete, next ?? delivery.complete)
        return stride(from: silence.lastTick, to: end, by: step).compactMap { tick in
            let playhead = silence.playhead + Double(tick - silence.lastTick) * Tick.seconds
            let moment = Moment(delivery, tick: tick, playhead: playhead, stalls: number)
            return StallRisk(BufferLevel(moment), stalls: number).map { ($0.probability, next != nil) }
        }
    }
}
