// SPDX-License-Identifier: GPL-3.0-or-later

/// All that a rule may know at a tick: what has arrived until then, and what the listener has heard.
struct Moment {
    private let delivery: Delivery
    let tick: Int
    /// Seconds of sound that were heard.
    let playhead: Double
    /// Since sound stopped; 0 while it plays.
    let silentTicks: Int
    /// How many there were before, this one not counted.
    let stalls: Int

    init(_ delivery: Delivery, tick: Int, playhead: Double, silentTicks: Int = 0, stalls: Int) {
        self.delivery = delivery
        self.tick = tick
        self.playhead = playhead
        self.silentTicks = silentTicks
        self.stalls = stalls
    }

    var episode: Episode { delivery.episode }
    var hasBegun: Bool { playhead > 0 }
    var waited: Double { Double(silentTicks) * Tick.seconds }
    var arrived: Double { delivery.arrived[tick] }
    var media: Double { delivery.media[tick] }
    /// Seconds of sound that can be played without another byte.
    var hand: Double { media - playhead }
    /// Ticks since the answer began; below 0 before.
    var age: Int { tick - delivery.answered }
    /// Seconds since then, at least a tick.
    var seconds: Double { Double(max(1, age)) * Tick.seconds }
    var meanRate: Double { arrived / seconds }
    /// Bytes that are missing; `nil` where the server did not say how many there are.
    var missing: Double? { episode.saysLength ? episode.size - arrived : nil }

    /// Bytes per second over the last ticks, or since the answer began.
    func rate(overTicks count: Int) -> Double {
        let ticks = min(count, age)
        return ticks > 0 ? (arrived - arrived(ticksAgo: ticks)) / (Double(ticks) * Tick.seconds) : meanRate
    }

    func arrived(ticksAgo count: Int) -> Double { delivery.arrived[max(0, tick - count)] }

    /// Seconds of the whole episode as a player sees it: exact, or by the bytes of a second so far.
    var duration: Double? {
        guard let missing else { return nil }
        guard episode.isVariable else { return episode.duration }
        guard media >= 1 else { return (episode.size - episode.tag) / episode.nominalRate }
        return media + missing * media / (arrived - episode.tag)
    }

    /// Seconds of sound from the playhead to the end.
    var rest: Double? { duration.map { $0 - playhead } }
}
