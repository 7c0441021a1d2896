// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Listening
import Media
import Testing

@Suite("RefreshQueue")
struct RefreshQueueTests {
    private static let failure = MediaFailure(.unavailable, "broken")
    private static let gone = FeedAttempt.settled(.gone)

    private func queue(
        _ hosts: String..., deadline: Duration = .seconds(100), atOnce: Int = 24, perHost: Int = 6
    ) -> RefreshQueue {
        var limits = RefreshQueue.Limits()
        (limits.atOnce, limits.perHost) = (atOnce, perHost)
        let orders = hosts.enumerated().map { RefreshOrder(id: Int64($0), url: "http://\($1).example/\($0)") }
        return RefreshQueue(orders, deadline: deadline, limits: limits)
    }

    private func lost(_ order: Int, after time: Duration? = nil) -> RefreshQueue.Action {
        .report(order, .failed(Self.failure, retryAfter: time))
    }

    private func late(_ order: Int) -> RefreshQueue.Action {
        .report(order, .failed(MediaFailure(.temporary, "no answer within the time for the refresh"), retryAfter: nil))
    }

    @Test("hosts take turns, and no host gets more than its share")
    func turns() {
        var queue = queue("a", "a", "a", "a", "b", "c", atOnce: 5, perHost: 3)
        #expect(queue.handle(.begun, at: .zero) == [.start(0), .start(4), .start(5), .start(1), .start(2)])
        #expect(queue.handle(.ended(5, Self.gone), at: .zero) == [.report(5, .gone)])
        #expect(queue.handle(.ended(0, Self.gone), at: .zero) == [.report(0, .gone), .start(3)])
    }

    @Test("it is done when each order has been reported, once")
    func done() {
        var queue = queue("a", "b")
        _ = queue.handle(.begun, at: .zero)
        #expect(queue.handle(.ended(0, Self.gone), at: .zero) == [.report(0, .gone)])
        #expect(queue.handle(.ended(0, Self.gone), at: .zero) == [])
        #expect(!queue.isDone && queue.wakeTime == .seconds(100))
        #expect(queue.handle(.ended(1, Self.gone), at: .zero) == [.report(1, .gone)])
        #expect(queue.isDone && queue.wakeTime == nil)
        #expect(RefreshQueue([], deadline: .seconds(1)).isDone)
    }

    @Test("what has failed for a reason that may pass is tried once more, a second later")
    func again() {
        var queue = queue("a")
        _ = queue.handle(.begun, at: .zero)
        #expect(queue.handle(.ended(0, .trouble(Self.failure, asked: nil)), at: .seconds(5)) == [])
        #expect(queue.wakeTime == .seconds(6))
        #expect(queue.handle(.tick, at: .seconds(5.9)) == [])
        #expect(queue.handle(.tick, at: .seconds(6)) == [.start(0)])
        #expect(queue.handle(.ended(0, .trouble(Self.failure, asked: nil)), at: .seconds(7)) == [lost(0)])
    }

    @Test("a server that asks for a little patience gets it, for all its feeds")
    func asked() {
        var queue = queue("a", "a", "b", "b", atOnce: 2)
        #expect(queue.handle(.begun, at: .zero) == [.start(0), .start(2)])
        let asked = FeedAttempt.trouble(Self.failure, asked: .seconds(10))
        #expect(queue.handle(.ended(0, asked), at: .seconds(1)) == [.start(3)])
        #expect(queue.handle(.ended(2, Self.gone), at: .seconds(2)) == [.report(2, .gone)])
        #expect(queue.wakeTime == .seconds(11))
        #expect(queue.handle(.tick, at: .seconds(11)) == [.start(0)])
        #expect(queue.handle(.ended(0, asked), at: .seconds(12)) == [lost(0, after: .seconds(10))])
    }

    @Test("one that asks for more than half a minute, or than there is, is left alone until another refresh")
    func askedTooMuch() {
        for (asked, deadline) in [(Duration.seconds(31), Duration.seconds(100)), (.seconds(10), .seconds(5))] {
            var queue = queue("a", "b", "a", "a", deadline: deadline, atOnce: 2)
            _ = queue.handle(.begun, at: .zero)
            #expect(
                queue.handle(.ended(0, .trouble(Self.failure, asked: asked)), at: .zero)
                    == [lost(0, after: asked), lost(2, after: asked), lost(3, after: asked)])
            #expect(queue.handle(.ended(1, Self.gone), at: .zero) == [.report(1, .gone)])
            #expect(queue.isDone)
        }
    }

    @Test("when the time is over, what waits has failed and what is under way is cancelled")
    func deadline() {
        var queue = queue("a", "b", "c", deadline: .seconds(10), atOnce: 2)
        _ = queue.handle(.begun, at: .zero)
        #expect(queue.handle(.tick, at: .seconds(10)) == [late(2), .cancel(0), .cancel(1)])
        #expect(queue.wakeTime == nil)
        #expect(queue.handle(.tick, at: .seconds(11)) == [])
        #expect(queue.handle(.ended(0, .cancelled), at: .seconds(11)) == [late(0)])
        #expect(queue.handle(.ended(1, Self.gone), at: .seconds(11)) == [.report(1, .gone)], "it was quicker")
        #expect(queue.isDone)
    }

    @Test("nothing is tried again that could not begin in time")
    func noTimeLeft() {
        var queue = queue("a", deadline: .seconds(10))
        _ = queue.handle(.begun, at: .zero)
        #expect(queue.handle(.ended(0, .trouble(Self.failure, asked: nil)), at: .seconds(9.5)) == [lost(0)])
    }
}
