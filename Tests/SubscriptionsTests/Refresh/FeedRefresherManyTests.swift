// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Media
import Subscriptions
import Testing

@Suite("FeedRefresher: many feeds", .timeLimit(.minutes(TimeLimit.factor)))
struct FeedRefresherManyTests {
    private static let late = RefreshOutcome.failed(
        MediaFailure(.temporary, "no answer before the refresh timed out"), retryAfter: nil)

    /// An endless answer for a gzip decoder.
    private static let bomb = FaultScript(body: GzipBomb.bytes, contentType: "text/xml").with {
        $0.fields = [("Content-Encoding", "gzip")]
    }

    @Test("Each feed is reported once, with at most six connections per host")
    func many() async throws {
        let stage = try RefreshStage()
        let orders = (0..<50).map { number -> RefreshOrder in
            stage.server.serve("/\(number)", NewsFeed.script().with { $0.latency = .milliseconds(100) })
            return stage.order("/\(number)", id: Int64(number))
        }
        let reports = await stage.refresher().refresh(orders, within: TimeLimit.event).reduce(into: []) {
            $0.append($1)
        }
        #expect(reports.map(\.order.id).sorted() == orders.map(\.id))
        #expect(reports.allSatisfy { $0.outcome.text == "changed 2" })
        #expect(stage.server.connections <= 6 && stage.server.mostAtOnce == 6)
    }

    @Test("A hanging feed and a gzip bomb do not delay the other eighteen")
    func oneHangsOneBombs() async throws {
        let stage = try RefreshStage(["/hang": [NewsFeed.script().with { $0.latency = .seconds(3600) }]])
        stage.server.serve("/bomb", Self.bomb)
        let orders = (0..<20).map { number -> RefreshOrder in
            let path = number == 3 ? "/hang" : number == 4 ? "/bomb" : "/\(number)"
            if path == "/\(number)" { stage.server.serve(path, NewsFeed.script()) }
            return stage.order(path, id: Int64(number))
        }
        let clock = ManualClock()
        var seen: [Int64: RefreshOutcome] = [:]
        for await report in stage.refresher(clock: clock).refresh(orders, within: .seconds(60)) {
            seen[report.order.id] = report.outcome
            if seen.count == 19 { clock.advance(by: .seconds(60)) }
        }
        #expect(seen.values.count { $0.text == "changed 2" } == 18)
        #expect(seen[3] == Self.late)
        #expect(seen[4]?.text == "failed: the decompressed response is more than 100 times as large as the data sent")
    }

    @Test("An endless feed does not delay the others and ends at the deadline")
    func endless() async throws {
        let items = NewsFeed.bytes(episodes: (0..<1000).map { "\($0)" }).dropLast(16)
        let endless = NewsFeed.script(Array(items)).with { ($0.isEndless, $0.framing) = (true, .chunked) }
        let stage = try RefreshStage(["/endless": [endless], "/f": [NewsFeed.script()]])
        let clock = ManualClock()
        let orders = [stage.order("/endless", id: 1), stage.order("/f", id: 2)]
        var reports = stage.refresher(clock: clock).refresh(orders, within: .seconds(60)).makeAsyncIterator()
        #expect(await reports.next()?.order.id == 2)
        #expect(await eventually { !stage.recorder.titles(of: 1).isEmpty })
        clock.advance(by: .seconds(60))
        #expect(await reports.next()?.outcome == Self.late)
        #expect(stage.recorder.calls(of: 1).last == .abandoned)
    }

    @Test("At the deadline the remaining feeds fail, and their sinks are abandoned")
    func deadline() async throws {
        let stage = try RefreshStage([
            "/whole": [NewsFeed.script()],
            "/half": [NewsFeed.script(NewsFeed.bytes(episodes: (0..<1000).map { "\($0)" })).stalled(after: 80_000)],
        ])
        let clock = ManualClock()
        let orders = [stage.order("/whole", id: 1), stage.order("/half", id: 2)]
        var reports = stage.refresher(clock: clock).refresh(orders, within: .seconds(60)).makeAsyncIterator()
        #expect(await reports.next()?.outcome.text == "changed 2")
        #expect(await eventually { !stage.recorder.titles(of: 2).isEmpty })
        clock.advance(by: .seconds(60))
        let second = await reports.next()
        #expect(second?.order.id == 2 && second?.outcome == Self.late)
        #expect(stage.recorder.calls(of: 2).last == .abandoned)
        #expect(await reports.next() == nil)
    }

    @Test("Cancelling the stream stops the refresh, and every sink is abandoned")
    func cancelled() async throws {
        let half = NewsFeed.script(NewsFeed.bytes(episodes: (0..<1000).map { "\($0)" })).stalled(after: 80_000)
        let stage = try RefreshStage(["/f": [half], "/g": [half]])
        let orders = [stage.order("/f", id: 1), stage.order("/g", id: 2)]
        let task = Task { for await _ in stage.refresher().refresh(orders, within: .seconds(60)) {} }
        #expect(await eventually { [1, 2].allSatisfy { !stage.recorder.titles(of: $0).isEmpty } })
        task.cancel()
        await task.value
        #expect(await eventually { [1, 2].allSatisfy { stage.recorder.calls(of: $0).last == .abandoned } })
    }

    @Test("A slow sink pauses the transfer, so that memory use is bounded")
    func slowSink() async throws {
        let episodes = (0..<20_000).map { String(repeating: "long ", count: 200) + "\($0)" }
        let stage = try RefreshStage(["/f": [NewsFeed.script(NewsFeed.bytes(episodes: episodes))]])
        let gate = Gate()
        let refresher = FeedRefresher(transport: stage.transport) { _ in GatedSink(gate: gate) }
        let task = Task { for await _ in refresher.refresh([stage.order("/f")], within: .seconds(60)) {} }
        #expect(await eventually { gate.isReached })
        var sent = -1
        // Wait until the number of sent bytes is stable.
        while case let now = stage.server.requests[0].bytesSent, now != sent {
            sent = now
            try await Task.sleep(for: .milliseconds(200))
        }
        gate.open()
        task.cancel()
        await task.value
        #expect(sent < 16 << 20, "\(sent)")
    }
}
