// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The best possible playback with knowledge of the arrival time of each byte.
///
/// Any playback is a delay that never decreases and that at each second of audio is at least as large as its bytes
/// require. So the maximum of these requirements is both the shortest start without a stall and the minimum total
/// waiting time; and a player that stalls once for all missing bytes has no reason to stall again. The only choice
/// left is the time of the start.
struct Clairvoyant {
    /// The shortest start without a stall, in ticks.
    let start: Int
    /// The first tick at which audio can play.
    private let earliest: Int

    init(_ delivery: Delivery) {
        earliest = delivery.tick(of: min(delivery.episode.duration, Playthrough.least))
        start = (0..<delivery.complete).reduce(into: earliest) { start, tick in
            start = max(start, tick + 1 - Int(delivery.media[tick] / Tick.seconds + 1e-6))
        }
    }

    func cost(_ cost: ListenerCost) -> Double {
        let whole = Double(start) * Tick.seconds
        return (earliest..<max(earliest, start)).reduce(cost.start(whole)) { best, tick in
            let begun = Double(tick) * Tick.seconds
            return min(best, cost.start(begun) + cost.stalledSecond * (whole - begun) + cost.stall)
        }
    }
}
