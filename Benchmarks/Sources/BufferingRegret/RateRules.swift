// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// GStreamer in download mode: 1.1 times the time to download the rest must be less than the time to play it.
struct GStreamerDownload: Rule {
    let name = "GStreamer, download"
    /// The rate as averaged by queue2, for every second tick.
    private var rates: [Double] = []

    mutating func begin(_ delivery: Delivery) {
        var (rate, period) = (0.0, 0.0)
        let step = 2 * Tick.seconds
        rates = stride(from: 0, through: delivery.complete, by: 2).map { tick in
            guard tick > 0 else { return 0 }
            let now = (delivery.arrived[tick] - delivery.arrived[tick - 2]) / step
            rate = rate == 0 ? now : (rate * period + now * step) / (period + step)
            if period < 3.2 { period += step }
            return rate
        }
    }

    func plays(_ moment: Moment) -> Bool {
        guard moment.tick % 5 == 0, moment.hand >= 2 else { return false }
        guard let missing = moment.missing, let rest = moment.rest else { return true }
        let rate = rates[moment.tick / 2]
        return rate > 0 && 1.1 * missing / rate <= rest
    }
}

/// Chromium's can-play-through, used as a rule: the lowest of the rates since the first two of ten seconds.
struct ChromiumRule: Rule {
    let name = "Chromium"

    func plays(_ moment: Moment) -> Bool {
        guard let missing = moment.missing, let rest = moment.rest else { return moment.hand >= 3 }
        let oldest = min(moment.age, 10 * Tick.second)
        let rates = stride(from: oldest, to: max(oldest - 20, 3), by: -1).map { moment.rate(overTicks: $0) }
        guard rates.count > 1, let rate = rates.min() else { return false }
        return rate > 0 && missing / rate < rest
    }
}

/// Can-play-through by the mean rate, or 15 seconds of waiting or in the buffer.
struct FirefoxRule: Rule {
    let name = "Firefox"

    func plays(_ moment: Moment) -> Bool {
        if moment.waited >= 15 || moment.hand >= 15 { return true }
        guard let missing = moment.missing, let rest = moment.rest, moment.hand > 1, moment.age >= Tick.second,
            moment.arrived >= 57 * 1460
        else { return false }
        return missing / moment.meanRate <= rest
    }
}

/// A guess, because Apple documents only AVPlayer's goal: a rate over about five seconds that suffices to the end, or
/// a full buffer.
struct AVPlayerRule: Rule {
    let name = "AVPlayer (guessed)"
    private var rates: [Double] = []

    mutating func begin(_ delivery: Delivery) {
        let share = 1 - exp(-Tick.seconds / 5)
        var (sum, weight) = (0.0, 0.0)
        rates = delivery.arrived.indices.map { tick in
            guard tick > delivery.answered else { return 0 }
            let now = (delivery.arrived[tick] - delivery.arrived[tick - 1]) / Tick.seconds
            sum += share * (now - sum)
            weight += share * (1 - weight)
            return sum / weight
        }
    }

    func plays(_ moment: Moment) -> Bool {
        if moment.hand >= 50 { return true }
        guard moment.age >= Tick.second, moment.hand >= 1 else { return false }
        guard let missing = moment.missing, let rest = moment.rest else { return moment.hand >= 5 }
        let rate = rates[moment.tick]
        return rate > 0 && missing / rate <= rest
    }
}
