// SPDX-License-Identifier: GPL-3.0-or-later
import CEngineBaseline
import Glibc
import Measuring

/// Messages of 64 bytes to a thread that renders a slice each millisecond and back, waited for; and what they cost
/// where nobody waits. Beside rings of C11 atomics, which do no more, and GLib's GAsyncQueue where it is installed.
struct MessageCost {
    private typealias Trip = (Int64) -> Int64?

    private let hasGLib = glib_open()

    func tell() {
        print(trips().line)
        let (rounds, each) = (100, 1000)
        let sum = Int64(rounds * each * (each - 1) / 2)
        print(sums("request performed and told", rounds * each, sum, [
            { OwnMessages.unwaited(rounds: rounds, each: each) },
            { baseline_unwaited(CInt(rounds), CInt(each)) }, { glib_unwaited(CInt(rounds), CInt(each)) },
        ]).line)
        let count = 500_000
        let all = Int64(count * (count - 1) / 2)
        let others = [{ baseline_one_way(CInt(count)) }, { glib_one_way(CInt(count)) }]
        print(sums("notice to another thread", count, all, [{ OwnMessages.notices(count) }] + others).line)
        print(sums("block to another thread", count, all, [{ OwnMessages.blocks(count) }] + others).line)
    }

    /// A thousand each at any moment of a slice, in turns, so that all see the same machine.
    private func trips() -> Row {
        let own = OwnExchange(), baseline = baseline_exchange_start(), glib = hasGLib ? glib_exchange_start() : nil
        var ways: [Trip] = [own.trip, { baseline_exchange_trip(baseline, $0) }]
        if hasGLib { ways.append { glib_exchange_trip(glib, $0) } }
        var times = [[Duration]](repeating: [], count: ways.count)
        var chance = SeededGenerator(seed: 1)
        for number in 0..<Int64(1000) {
            for (way, trip) in ways.enumerated() {
                usleep(UInt32.random(in: 0..<1000, using: &chance))
                var answer: Int64?
                times[way].append(ContinuousClock().measure { answer = trip(number) })
                guard answer == number else { stop("request \(number) has another answer") }
            }
        }
        own.stop()
        baseline_exchange_stop(baseline)
        if hasGLib { glib_exchange_stop(glib) }
        let others = zip(["c", "glib"], times.dropFirst())
        return .quantiles("request and response", times[0], others.map { (name: $0, times: $1) })
    }

    /// - Parameter ways: ours, in C, by GLib; each returns the sum of the numbers it received.
    private func sums(_ what: String, _ count: Int, _ sum: Int64, _ ways: [() -> Int64]) -> Row {
        let times = EngineCost.leastInTurns(ways.prefix(hasGLib ? 3 : 2).map { way in
            { if way() != sum { stop("\(what): another sum") } }
        })
        return .each(what, count, times[0], zip(["c", "glib"], times.dropFirst()).map { (name: $0, time: $1) })
    }
}
