// SPDX-License-Identifier: GPL-3.0-or-later

/// The information available to a rule at a tick: the bytes that have arrived, and the audio that was played.
struct Moment {
    private let delivery: Delivery
    let tick: Int
    /// The seconds of audio played so far.
    let playhead: Double
    /// The ticks since audio stopped; 0 while it plays.
    let silentTicks: Int
    /// The number of stalls before, not counting this one.
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
    /// The seconds of audio that can be played without another byte.
    var hand: Double { media - playhead }
    /// The ticks since the answer began; negative before.
    var age: Int { tick - delivery.answered }
    /// The seconds since the answer began, at least one tick.
    var seconds: Double { Double(max(1, age)) * Tick.seconds }
    var meanRate: Double { arrived / seconds }
    /// The number of missing bytes; `nil` if the server declared no length.
    var missing: Double? { episode.saysLength ? episode.size - arrived : nil }

    /// Returns the bytes per second over the last `count` ticks, or since the answer began.
    func rate(overTicks count: Int) -> Double {
        let ticks = min(count, age)
        return ticks > 0 ? (arrived - arrived(ticksAgo: ticks)) / (Double(ticks) * Tick.seconds) : meanRate
    }

    func arrived(ticksAgo count: Int) -> Double { delivery.arrived[max(0, tick - count)] }

    /// The duration of the episode in seconds as a player sees it: exact, or estimated from the bytes per second so
    /// far.
    var duration: Double? {
        guard let missing else { return nil }
        guard episode.isVariable else { return episode.duration }
        guard media >= 1 else { return (episode.size - episode.tag) / episode.nominalRate }
        return media + missing * media / (arrived - episode.tag)
    }

    /// The seconds of audio from the playhead to the end.
    var rest: Double? { duration.map { $0 - playhead } }
}
