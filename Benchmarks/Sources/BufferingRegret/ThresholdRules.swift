// SPDX-License-Identifier: GPL-3.0-or-later

/// Fixed thresholds, in buffered seconds, for starting and for resuming.
struct Thresholds: Rule {
    let name: String
    let start: Double
    let resume: Double

    func plays(_ moment: Moment) -> Bool {
        moment.hand >= (moment.hasBegun ? resume : start) - 1e-9
    }
}

/// Seven seconds at the nominal bit rate, limited to a minimum and a maximum number of bytes.
struct FreeStreamerRule: Rule {
    let name = "FreeStreamer"

    func plays(_ moment: Moment) -> Bool {
        let enough = min(256_000, max(50_000, 7 * moment.episode.nominalRate))
        return moment.arrived >= moment.episode.offset(at: moment.playhead) + enough
    }
}

/// One second, plus the lateness of late data as long as the sum stays within the clock's jitter.
struct VLCRule: Rule {
    private static let caching = 1.0
    private static let jitter = 5.0

    let name = "VLC"
    private var enough = Self.caching
    private var isLate = false

    mutating func begin(_ delivery: Delivery) { self = VLCRule() }

    mutating func plays(_ moment: Moment) -> Bool {
        if moment.silentTicks == 0 { isLate = moment.hasBegun }
        if isLate, moment.hand >= 0.02 {
            isLate = false
            let lateness = moment.waited + Tick.seconds
            if enough - Self.caching + lateness <= Self.jitter { enough += lateness }
        }
        return moment.hand >= enough
    }
}

/// The throttle of this player's first version: it stops 32 KiB before its reader would run dry, and checks again
/// every three seconds. The reader is a queue of 32 KiB before the output.
struct Rule2009: Rule {
    private static let queue = 32_768.0
    private static let poll = 3 * Tick.second

    let name = "rule of 2009"

    func plays(_ moment: Moment) -> Bool {
        guard moment.hasBegun else { return moment.arrived >= 2 * Self.queue }
        return moment.silentTicks > 0 && moment.silentTicks % Self.poll == 0 && !isShort(moment)
    }

    func pauses(_ moment: Moment) -> Bool {
        // The rule checks for the first time when the first buffer is returned.
        moment.playhead > 1.5 * Tick.seconds && isShort(moment)
    }

    private func isShort(_ moment: Moment) -> Bool {
        moment.arrived <= moment.episode.offset(at: moment.playhead) + 2 * Self.queue
    }
}
