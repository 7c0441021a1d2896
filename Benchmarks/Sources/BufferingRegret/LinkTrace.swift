// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring

/// The rate of one link at each tick.
struct LinkTrace {
    /// Bytes per second.
    private(set) var rates: [Double]

    init(_ family: LinkFamily, mean: Double, ticks: Int, _ chance: inout SeededGenerator) {
        rates = Array(repeating: mean, count: ticks)
        if let states = family.states { go(through: states, &chance) }
        shake(family.jitter, &chance)
        if let step = family.step {
            scale(from: step.at.number(&chance), by: step.factor.number(&chance))
        }
        if let outages = family.outages { interrupt(outages, &chance) }
    }

    private mutating func go(through states: LinkFamily.States, _ chance: inout SeededGenerator) {
        let time = states.stays.reduce(0, +)
        let mean = zip(states.levels, states.stays).reduce(0) { $0 + $1.0 * $1.1 } / time
        var state = Int.random(in: states.levels.indices, using: &chance)
        var tick = 0
        while tick < rates.count {
            let end = tick + max(1, Tick.count(chance.exponential(mean: states.stays[state])))
            scale(tick..<end, by: states.levels[state] / mean)
            tick = end
            state = states.next(after: state, &chance)
        }
    }

    private mutating func shake(_ jitter: LinkFamily.Jitter, _ chance: inout SeededGenerator) {
        let noise = chance.noise(rates.count, window: max(1, Tick.count(jitter.lasting)))
        let correction = jitter.deviation * jitter.deviation / 2
        for tick in rates.indices { rates[tick] *= exp(jitter.deviation * noise[tick] - correction) }
    }

    private mutating func interrupt(_ outages: LinkFamily.Outages, _ chance: inout SeededGenerator) {
        let pause = 60 / outages.perMinute.number(&chance)
        var time = chance.exponential(mean: pause)
        while Tick.count(time) < rates.count {
            let end = time + max(0.2, outages.lasting.number(&chance))
            scale(Tick.count(time)..<(Tick.count(end) + 1), by: 0)
            time = end + chance.exponential(mean: pause)
        }
    }

    private mutating func scale(from seconds: Double, by factor: Double) {
        scale(min(rates.count, Tick.count(seconds))..<rates.count, by: factor)
    }

    private mutating func scale(_ ticks: Range<Int>, by factor: Double) {
        for tick in ticks.clamped(to: rates.indices) { rates[tick] *= factor }
    }
}

extension LinkFamily.States {
    fileprivate func next(after state: Int, _ chance: inout SeededGenerator) -> Int {
        if stepwise { return min(levels.count - 1, max(0, state + (Bool.random(using: &chance) ? 1 : -1))) }
        let other = Int.random(in: 0..<(levels.count - 1), using: &chance)
        return other < state ? other : other + 1
    }
}
