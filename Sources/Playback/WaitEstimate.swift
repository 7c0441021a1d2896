// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension BufferingPolicy {
    /// Returns the estimated time until `decide` starts sound; `nil` if no estimate is reliable.
    ///
    /// The estimate is the median of three: at the mean rate so far, at the rate of the last seconds, and at the rate
    /// of the last minute. It is unknown if the three differ by more than the median, or if it reaches much further
    /// ahead than the transfer reaches back.
    public static func estimatedWait(_ silence: Silence, _ supply: Supply) -> Duration? {
        if supply.isWhole || supply.isStill { return .zero }
        guard let throughput = supply.throughput, supply.need != nil else { return nil }
        let least = throughput.mean / 50
        let waits = [throughput.mean, throughput.recent, throughput.long]
            .map { wait(silence, supply, throughput, at: max($0, least)) }
            .sorted()
        let age = throughput.age / .seconds(1)
        guard waits[2] - waits[0] <= max(10, waits[1]), waits[1] <= 4 + 4 * age else { return nil }
        return .seconds(waits[1])
    }

    /// Returns the seconds until sound starts if bytes keep arriving at `rate`.
    private static func wait(
        _ silence: Silence, _ supply: Supply, _ throughput: Throughput, at rate: Double
    ) -> Double {
        // The mean follows slowly.
        let counted = min(rate, throughput.mean)
        let goals = Goals(silence, supply, at: counted)
        guard rate > 0, let need = supply.needAhead, need > 0 else { return .infinity }
        func fill(_ seconds: Double) -> Double {
            (Double(supply.tag) + max(0, seconds - supply.hand) * need) / rate
        }
        if silence.isHurried { return fill(Goals.floor) }
        let patience = goals.patience(silence, supply, pace: rate / need, fill: fill(goals.enough))
        guard let missing = supply.missing.map(Double.init), let rest = supply.rest else {
            return max(0, min(fill(goals.isFast ? goals.floor : goals.enoughOfUnknown), patience))
        }
        let line = missing / counted + Goals.slack - rest
        return max(0, min(max(line, fill(goals.floor)), patience, missing / rate))
    }
}
