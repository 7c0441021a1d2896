// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension BufferingPolicy {
    /// Returns the estimated time until `decide` starts sound; `nil` if no estimate is reliable.
    ///
    /// The estimate is the median of three: at the mean rate so far, at the rate of the last seconds, and at the rate
    /// of the last minute. It is unknown if the three differ by more than the median, or if it reaches much further
    /// ahead than the transfer reaches back.
    public static func estimatedWait(_ waitState: WaitState, _ level: BufferLevel) -> Duration? {
        if level.isWhole || level.isStalled { return .zero }
        guard let throughput = level.throughput, level.requiredRate != nil else { return nil }
        let least = throughput.mean / 50
        let waits = [throughput.mean, throughput.recent, throughput.long]
            .map { wait(waitState, level, throughput, at: max($0, least)) }
            .sorted()
        let age = throughput.age / .seconds(1)
        guard waits[2] - waits[0] <= max(10, waits[1]), waits[1] <= 4 + 4 * age else { return nil }
        return .seconds(waits[1])
    }

    /// Returns the seconds until sound starts if bytes keep arriving at `rate`.
    private static func wait(
        _ waitState: WaitState, _ level: BufferLevel, _ throughput: Throughput, at rate: Double
    ) -> Double {
        // The mean follows slowly.
        let counted = min(rate, throughput.mean)
        let goals = Goals(waitState, level, at: counted)
        guard rate > 0, let need = level.requiredRateAhead, need > 0 else { return .infinity }
        func fill(_ seconds: Double) -> Double {
            (Double(level.preceding) + max(0, seconds - level.bufferedSeconds) * need) / rate
        }
        if waitState.isHurried { return fill(Goals.floor) }
        let patience = goals.secondsUntilTimeout(waitState, level, pace: rate / need, fill: fill(goals.enough))
        guard let missing = level.missing.map(Double.init), let rest = level.remainingSeconds else {
            return max(0, min(fill(goals.isFast ? goals.floor : goals.enoughOfUnknown), patience))
        }
        let line = missing / counted + Goals.slack - rest
        return max(0, min(max(line, fill(goals.floor)), patience, missing / rate))
    }
}
