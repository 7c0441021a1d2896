// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback

/// The policy of the program itself.
struct OwnRule: Rule {
    let name = "Earshot"

    func plays(_ moment: Moment) -> Bool {
        BufferingPolicy.decide(moment.silence, BufferLevel(moment)) != .hold
    }
}

extension Moment {
    var silence: BufferingPolicy.WaitState {
        .init(hasBegun ? .rebuffer : .start, waited: .seconds(waited), stalls: stalls)
    }

    fileprivate var throughput: Throughput? {
        guard arrived > 0 else { return nil }
        func lately(_ window: Duration) -> Double { rate(overTicks: Tick.count(window / .seconds(1))) }
        return Throughput(
            age: .seconds(seconds), mean: meanRate, recent: lately(Throughput.recentWindow),
            long: lately(Throughput.longWindow))
    }
}

extension BufferLevel {
    init(_ moment: Moment) {
        let episode = moment.episode
        self.init(
            buffered: .seconds(moment.hand), remaining: moment.rest.map { .seconds($0) },
            missing: moment.missing.map { Int64($0.rounded(.up)) },
            byteRate: moment.duration.map { episode.size / $0 } ?? episode.nominalRate,
            preceding: Int64(max(0, episode.tag - moment.arrived)), throughput: moment.throughput)
    }
}
