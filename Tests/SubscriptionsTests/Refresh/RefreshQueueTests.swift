// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Subscriptions

@Suite("RefreshQueue")
struct RefreshQueueTests {
    private static let failure = MediaFailure(.unavailable, "broken")
    private static let gone = FeedAttempt.completed(.gone)

    private func queue(
        _ hosts: String..., deadline: Duration = .seconds(100), atOnce: Int = 24, perHost: Int = 6
    ) -> RefreshQueue {
        var limits = RefreshQueue.Limits()
        (limits.maximumConcurrent, limits.perHost) = (atOnce, perHost)
        let orders = hosts.enumerated().map { RefreshOrder(id: Int64($0), url: "http://\($1).example/\($0)") }
        return RefreshQueue(orders, deadline: deadline, limits: limits)
    }

    private func lost(_ order: Int, after time: Duration? = nil) -> RefreshQueue.Action {
        .report(order, .failed(Self.failure, retryAfter: time))
    }

    private func late(_ order: Int) -> RefreshQueue.Action {
        .report(order, .failed(MediaFailure(.temporary, "no answer before the refresh timed out"), retryAfter: nil))
    }

    @Test("Hosts take turns, and each host has a limited share")
    func turns() {
        var queue = queue("a", "a", "a", "a", "b", "c", atOnce: 5, perHost: 3)
        #expect(queue.handle(.begun, at: .zero) == [.start(0), .start(4), .start(5), .start(1), .start(2)])
        #expect(queue.handle(.ended(5, Self.gone), at: .zero) == [.report(5, .gone)])
        #expect(queue.handle(.ended(0, Self.gone), at: .zero) == [.report(0, .gone), .start(3)])
    }

    @Test("The queue is done when each order has been reported once")
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

    @Test("A temporary failure is retried once, a second later")
    func again() {
        var queue = queue("a")
        _ = queue.handle(.begun, at: .zero)
        #expect(queue.handle(.ended(0, .temporaryFailure(Self.failure, asked: nil)), at: .seconds(5)) == [])
        #expect(queue.wakeTime == .seconds(6))
        #expect(queue.handle(.tick, at: .seconds(5.9)) == [])
        #expect(queue.handle(.tick, at: .seconds(6)) == [.start(0)])
        #expect(queue.handle(.ended(0, .temporaryFailure(Self.failure, asked: nil)), at: .seconds(7)) == [lost(0)])
    }

    @Test("A short Retry-After delays all feeds of the server")
    func asked() {
        var queue = queue("a", "a", "b", "b", atOnce: 2)
        #expect(queue.handle(.begun, at: .zero) == [.start(0), .start(2)])
        let asked = FeedAttempt.temporaryFailure(Self.failure, asked: .seconds(10))
        #expect(queue.handle(.ended(0, asked), at: .seconds(1)) == [.start(3)])
        #expect(queue.handle(.ended(2, Self.gone), at: .seconds(2)) == [.report(2, .gone)])
        #expect(queue.wakeTime == .seconds(11))
        #expect(queue.handle(.tick, at: .seconds(11)) == [.start(0)])
        #expect(queue.handle(.ended(0, asked), at: .seconds(12)) == [lost(0, after: .seconds(10))])
    }

    @Test("A Retry-After of more than half a minute, or past the deadline, fails all feeds of the server")
    func askedTooMuch() {
        for (asked, deadline) in [(Duration.seconds(31), Duration.seconds(100)), (.seconds(10), .seconds(5))] {
            var queue = queue("a", "b", "a", "a", deadline: deadline, atOnce: 2)
            _ = queue.handle(.begun, at: .zero)
            #expect(
                queue.handle(.ended(0, .temporaryFailure(Self.failure, asked: asked)), at: .zero)
                    == [lost(0, after: asked), lost(2, after: asked), lost(3, after: asked)])
            #expect(queue.handle(.ended(1, Self.gone), at: .zero) == [.report(1, .gone)])
            #expect(queue.isDone)
        }
    }

    @Test("At the deadline waiting orders fail and running ones are cancelled")
    func deadline() {
        var queue = queue("a", "b", "c", deadline: .seconds(10), atOnce: 2)
        _ = queue.handle(.begun, at: .zero)
        #expect(queue.handle(.tick, at: .seconds(10)) == [late(2), .cancel(0), .cancel(1)])
        #expect(queue.wakeTime == nil)
        #expect(queue.handle(.tick, at: .seconds(11)) == [])
        #expect(queue.handle(.ended(0, .cancelled), at: .seconds(11)) == [late(0)])
        #expect(
            queue.handle(.ended(1, Self.gone), at: .seconds(11)) == [.report(1, .gone)],
            "it ended before it was cancelled")
        #expect(queue.isDone)
    }

    @Test("A retry that could not begin before the deadline is not scheduled")
    func noTimeLeft() {
        var queue = queue("a", deadline: .seconds(10))
        _ = queue.handle(.begun, at: .zero)
        #expect(queue.handle(.ended(0, .temporaryFailure(Self.failure, asked: nil)), at: .seconds(9.5)) == [lost(0)])
    }
}
