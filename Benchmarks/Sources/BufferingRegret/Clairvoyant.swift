// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The best that could have been done by someone who knew when each byte would come.
///
/// Any way to play is a delay that never falls and is at each second of sound at least what its bytes need. So the
/// largest of these is both the shortest start without a stall and the least time of silence in all; and who stalls
/// once for all that is missing has no reason to stall again. What is left is to choose when to start.
struct Clairvoyant {
    /// The shortest start without a stall, in ticks.
    let start: Int
    /// At which there can be sound at all.
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
