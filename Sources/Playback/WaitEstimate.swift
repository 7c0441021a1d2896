// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension BufferingPolicy {
    /// How long it will take until `decide` lets sound start; `nil` where nothing that can be said would be honest.
    ///
    /// The middle of three answers: were bytes to come at the mean rate so far, at that of the last seconds, or at that
    /// of the last minute. Unknown where the three disagree by more than themselves, and where the answer would reach
    /// much further ahead than the transfer reaches back.
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

    /// Seconds until sound starts if bytes keep coming at `rate`.
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
