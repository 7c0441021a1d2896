// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The reliability of the displayed wait, over all ticks of all waits.
struct WaitHonesty {
    struct Tally {
        var ticks = 0
        var unknown = 0
        var right = 0
        var low = 0

        mutating func add(shown: Double?, actual: Double) {
            ticks += 1
            guard let shown else {
                unknown += 1
                return
            }
            if abs(shown - actual) <= max(2, actual / 5) { right += 1 }
            if actual > 2 * shown + 5 { low += 1 }
        }

        private var shown: Double { Double(max(1, ticks - unknown)) }
        var unknownShare: Double { Double(unknown) / Double(max(1, ticks)) }
        var rightShare: Double { Double(right) / shown }
        var lowShare: Double { Double(low) / shown }
    }

    private(set) var starts = Tally()
    private(set) var stalls = Tally()
    /// The estimates two seconds into each wait.
    private(set) var early = Tally()

    mutating func add(_ heard: Playthrough, of delivery: Delivery) {
        for (number, silence) in heard.silences.enumerated() {
            for tick in silence.firstTick..<silence.lastTick {
                let moment = Moment(
                    delivery, tick: tick, playhead: silence.playhead, silentTicks: tick - silence.firstTick,
                    stalls: max(0, number - 1))
                add(moment, actual: Double(silence.lastTick - tick) * Tick.seconds)
            }
        }
    }

    private mutating func add(_ moment: Moment, actual: Double) {
        let shown = BufferingPolicy.estimatedWait(moment.silence, BufferLevel(moment)).map { $0 / .seconds(1) }
        if moment.hasBegun {
            stalls.add(shown: shown, actual: actual)
        } else {
            starts.add(shown: shown, actual: actual)
        }
        if moment.silentTicks == 2 * Tick.second { early.add(shown: shown, actual: actual) }
    }

    var all: Tally {
        Tally(
            ticks: starts.ticks + stalls.ticks, unknown: starts.unknown + stalls.unknown,
            right: starts.right + stalls.right, low: starts.low + stalls.low)
    }
}
