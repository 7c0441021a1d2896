// SPDX-License-Identifier: GPL-3.0-or-later
import CEngineBaseline
import Glibc
import Measuring

/// Measures messages of 64 bytes to a thread that renders a slice each millisecond, and their answers, including the
/// wait; and their cost without waiting, all on one thread, which reduces the influence of other load. Compared with
/// rings of C11 atomics, which do no more, and GLib's GAsyncQueue if it is installed.
struct MessageCost {
    private typealias Trip = (Int64) -> Int64?
    private typealias Sums = (_ rounds: CInt, _ each: CInt) -> Int64

    private let hasGLib = glib_open()

    func tell() {
        print(trips().line)
        let unwaited: [Sums] = [baseline_unwaited, glib_unwaited], oneWay: [Sums] = [baseline_one_way, glib_one_way]
        print(sums("request performed and reported", OwnMessages.unwaited, unwaited).line)
        print(sums("notice posted and received", OwnMessages.notices, oneWay).line)
        print(sums("block written and read", OwnMessages.blocks, oneWay).line)
    }

    /// Measures a thousand round trips of each, at random moments of a slice, in turns, so that all see the same
    /// machine.
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
                guard answer == number else { stop("request \(number) has the wrong response") }
            }
        }
        own.stop()
        baseline_exchange_stop(baseline)
        if hasGLib { glib_exchange_stop(glib) }
        let others = zip(["c", "glib"], times.dropFirst())
        return .quantiles("request and response", times[0], others.map { (name: $0, times: $1) })
    }

    /// Measures a thousand messages sent, then received, repeatedly, on one thread.
    /// - Parameter others: The implementations in C and by GLib; each returns the sum of the numbers it received.
    private func sums(
        _ what: String, _ ours: @escaping (_ rounds: Int, _ each: Int) -> Int64, _ others: [Sums]
    ) -> Row {
        let (rounds, each) = (100, 1000)
        let installed = others.prefix(hasGLib ? 2 : 1).map { other in { other(CInt(rounds), CInt(each)) } }
        let times = EngineCost.leastInTurns(([{ ours(rounds, each) }] + installed).map { way in
            { if way() != rounds * each * (each - 1) / 2 { stop("\(what): wrong sum") } }
        })
        let named = zip(["c", "glib"], times.dropFirst()).map { (name: $0, time: $1) }
        return .each(what, rounds * each, times[0], named)
    }
}
