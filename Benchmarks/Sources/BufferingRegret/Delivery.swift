// SPDX-License-Identifier: GPL-3.0-or-later
import Measuring

/// One download of an episode: the bytes that have arrived at each tick. It never waits for the player.
final class Delivery: Sendable {
    let episode: Episode
    /// The bytes that have arrived at the beginning of each tick; the last tick is the first at which all have
    /// arrived.
    let arrived: [Double]
    /// The seconds of audio in them.
    let media: [Double]
    /// The last tick before the first byte.
    let answered: Int

    init(of episode: Episode, arrived: [Double]) {
        self.episode = episode
        self.arrived = arrived
        var media = episode.seconds(in: arrived)
        media[media.count - 1] = episode.duration
        self.media = media
        answered = max(0, (arrived.firstIndex { $0 > 0 } ?? 0) - 1)
    }

    var complete: Int { arrived.count - 1 }

    /// Returns the first tick at which this many seconds of audio have arrived.
    func tick(of seconds: Double) -> Int { media.firstIndex { $0 >= seconds - 1e-9 } ?? complete }
}

extension Delivery {
    /// Creates a download over a link of the family.
    convenience init(over family: LinkFamily, _ chance: inout SeededGenerator) {
        let episode = Episode(&chance)
        let mean = family.meanRate(episode, &chance)
        let roundTrip = family.roundTrip.number(&chance)
        let exchanges = Double(1 + Int.random(in: family.redirects, using: &chance))
        let first = exchanges * (3 * roundTrip + chance.between(0.03, 0.25)) + chance.between(0, 0.1)
        let longest = min(8 * 3600, 3 * max(episode.duration, episode.size / mean) + 900)
        let trace = LinkTrace(family, mean: mean, ticks: Tick.count(longest), &chance)
        let connection = Connection(
            family, roundTrip: roundTrip, answerAt: first, bitRate: episode.meanRate, chance.next())
        self.init(of: episode, arrived: Self.bytes(of: episode, through: connection, over: trace))
    }

    private static func bytes(of episode: Episode, through connection: Connection, over trace: LinkTrace) -> [Double] {
        var (connection, arrived) = (connection, [0.0])
        for rate in trace.rates {
            connection.pass(rate: rate)
            arrived.append(min(connection.received, episode.size))
            if connection.received >= episode.size { return arrived }
        }
        return arrived + rest(of: episode, after: arrived)
    }

    /// Returns the bytes after the end of a trace that is too short: the rest arrives at the mean rate.
    private static func rest(of episode: Episode, after arrived: [Double]) -> [Double] {
        let there = arrived[arrived.count - 1]
        let rate = max(2000, there / (Double(arrived.count) * Tick.seconds))
        let ticks = Tick.count((episode.size - there) / rate) + 1
        let step = (episode.size - there) / Double(ticks)
        return (0..<ticks).map { episode.size - Double(ticks - 1 - $0) * step }
    }
}

extension LinkFamily {
    /// Returns the mean rate in bytes per second.
    fileprivate func meanRate(_ episode: Episode, _ chance: inout SeededGenerator) -> Double {
        switch speed {
        case .kilobits(let draw): draw.number(&chance) * 125
        case .timesBitRate(let draw): draw.number(&chance) * episode.meanRate
        }
    }
}
