// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Subscriptions
import Testing

@Suite("RefreshSchedule and FeedHistory")
struct RefreshScheduleTests {
    private static let hour: Int64 = 3600
    private static let day: Int64 = 86_400
    private let now = UTCTime(secondsSince1970: 1_800_000_000)

    private func moment(_ seconds: Int64) -> UTCTime {
        UTCTime(secondsSince1970: now.secondsSince1970 + seconds)
    }

    private func history(_ change: (inout FeedHistory) -> Void = { _ in }) -> FeedHistory {
        var history = FeedHistory()
        (history.lastTried, history.lastFull) = (moment(-2 * Self.hour), moment(-Self.day))
        change(&history)
        return history
    }

    private func decide(_ history: FeedHistory, isAsked: Bool = false, jitter: Double = 0) -> RefreshSchedule {
        RefreshSchedule.decide(history, at: now, isAsked: isAsked, jitter: jitter)
    }

    @Test("The first request of a feed is a full one, later ones are conditional")
    func due() {
        #expect(decide(FeedHistory()) == .due(isFull: true))
        #expect(decide(history()) == .due(isFull: false))
    }

    @Test("A feed rests for an hour or an eighth of its episode interval, unless the user requests it")
    func rest() {
        let rhythms: [(days: Int64?, rest: Int64)] = [(nil, 1), (0, 1), (1, 3), (7, 21), (30, 24)]
        for (days, rest) in rhythms {
            let last = moment(-Self.hour / 2)
            let recent = history {
                $0.lastTried = last
                $0.rhythm = days.map { .seconds($0 * Self.day) }
            }
            let next = UTCTime(secondsSince1970: last.secondsSince1970 + rest * Self.hour)
            #expect(decide(recent) == .notBefore(next), "\(String(describing: days)) days")
            #expect(decide(recent, isAsked: true) == .due(isFull: false))
        }
    }

    @Test(
        "Each failure in a row doubles the wait, from an hour to a week",
        arguments: [(1, 1), (2, 2), (3, 4), (8, 128), (9, 168), (10, 168), (Int.max, 168)] as [(Int, Int64)])
    func backoff(failures: Int, hours: Int64) {
        let broken = history { ($0.failures, $0.lastTried) = (failures, now) }
        #expect(decide(broken) == .notBefore(moment(hours * Self.hour)))
        #expect(
            decide(broken, jitter: 0.5) == .notBefore(moment(hours * Self.hour * 7 / 8)),
            "jitter only shortens the wait")
        #expect(decide(broken, isAsked: true) == .due(isFull: false))
    }

    @Test("A Retry-After applies even to a request by the user, for an hour at most")
    func quiet() {
        let quiet = history { $0.quietUntil = moment(60) }
        for isAsked in [false, true] { #expect(decide(quiet, isAsked: isAsked) == .quiet(until: moment(60))) }
        #expect(decide(history { $0.quietUntil = moment(0) }) == .due(isFull: false))
        let late = history { $0.quietUntil = moment(Self.hour + 1) }
        #expect(decide(late) == .due(isFull: false), "the clock was set back")
    }

    @Test("A gone feed is never requested again")
    func gone() {
        #expect(decide(history { $0.isGone = true }, isAsked: true) == .never)
    }

    @Test("After a week or twenty unchanged answers the full feed is requested")
    func full() {
        #expect(decide(history { $0.lastFull = moment(-7 * Self.day) }) == .due(isFull: true))
        #expect(decide(history { $0.lastFull = moment(1 - 7 * Self.day) }) == .due(isFull: false))
        #expect(decide(history { $0.answersSinceFull = 20 }) == .due(isFull: true))
        #expect(decide(history { $0.answersSinceFull = 19 }) == .due(isFull: false))
    }

    @Test("A feed of which a page is refused is requested in full after every twenty answers")
    func refusedPage() {
        let answers = [0, 1, 19, 20, 21, 40]
        let isFull = answers.map { count in
            decide(
                history {
                    $0.lastFull = nil
                    $0.answersSinceFull = count
                }) == .due(isFull: true)
        }
        #expect(isFull == [true, false, false, true, false, true])
    }

    @Test("A wrong clock does not block a feed")
    func clocks() {
        #expect(decide(history { $0.lastTried = moment(Self.day) }) == .due(isFull: false))
        #expect(decide(history { $0.lastFull = moment(Self.day) }) == .due(isFull: true))
        for extreme in [Int64.min, .max] {
            let time = UTCTime(secondsSince1970: extreme)
            let odd = history { ($0.lastTried, $0.lastFull, $0.quietUntil) = (time, time, time) }
            #expect(decide(odd) == .due(isFull: true))
        }
        for jitter in [-1, 1, .nan, .infinity] {
            let failed = history { ($0.failures, $0.lastTried) = (1, now) }
            #expect(decide(failed, jitter: jitter) == .notBefore(moment(3600)))
        }
    }
}
