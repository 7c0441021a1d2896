// SPDX-License-Identifier: GPL-3.0-or-later

/// The playback of an episode under a rule, as the listener experiences it.
struct Playthrough {
    struct Silence {
        let playhead: Double
        /// The exact instant, in seconds.
        let began: Double
        let firstTick: Int
        /// The tick at which audio plays again.
        let lastTick: Int

        var seconds: Double { Double(lastTick) * Tick.seconds - began }
    }

    /// The minimum buffered audio, in seconds, with which a decoder and a device can start.
    static let least = 0.2
    private static let tolerance = 1e-9

    /// The waits: the first is the start, every other one is a stall.
    private(set) var silences: [Silence] = []

    private struct Edge {
        var tick = 0
        var playhead = 0.0
        var time = 0.0
    }

    init(of delivery: Delivery, by rule: any Rule) {
        var (rule, edge) = (rule, Optional(Edge()))
        rule.begin(delivery)
        while let silent = edge {
            let tick = wait(delivery, &rule, at: silent)
            silences.append(
                Silence(playhead: silent.playhead, began: silent.time, firstTick: silent.tick, lastTick: tick))
            edge = play(delivery, rule, from: tick, silent.playhead)
        }
    }

    var startUp: Double { silences[0].seconds }
    var stalls: Int { silences.count - 1 }
    var stalled: Double { silences.dropFirst().reduce(0) { $0 + $1.seconds } }

    /// - Returns: The tick at which audio starts.
    private func wait(_ delivery: Delivery, _ rule: inout any Rule, at edge: Edge) -> Int {
        for tick in edge.tick..<max(edge.tick, delivery.complete) {
            let moment = Moment(
                delivery, tick: tick, playhead: edge.playhead, silentTicks: tick - edge.tick,
                stalls: max(0, silences.count - 1))
            let plays = rule.plays(moment)
            if plays, moment.hand >= Self.least - Self.tolerance { return tick }
        }
        return max(edge.tick, delivery.complete)
    }

    /// - Returns: The end of the audio; `nil` at the end of the episode.
    private func play(_ delivery: Delivery, _ rule: any Rule, from start: Int, _ playhead: Double) -> Edge? {
        for tick in start..<max(start, delivery.complete) {
            let heard = playhead + Double(tick - start) * Tick.seconds
            let time = Double(tick) * Tick.seconds
            if rule.pauses(Moment(delivery, tick: tick, playhead: heard, stalls: stalls)) {
                return Edge(tick: tick, playhead: heard, time: time)
            }
            let hand = delivery.media[tick] - heard
            if hand < Tick.seconds - Self.tolerance {
                return Edge(tick: tick + 1, playhead: heard + max(0, hand), time: time + max(0, hand))
            }
        }
        return nil
    }
}
