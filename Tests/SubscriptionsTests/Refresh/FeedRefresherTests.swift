// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import HTTPTransfer
import Media
import Subscriptions
import Testing

@Suite("FeedRefresher: one feed", .timeLimit(.minutes(TimeLimit.factor)))
struct FeedRefresherTests {
    private static let whole: [SinkRecorder.Call] = [
        .takes(["b", "a"]), .finished(title: "News", isTruncated: false),
    ]

    @Test("A new feed is delivered episode by episode, and its version is reported")
    func new() async throws {
        let stage = try RefreshStage(["/f": [NewsFeed.script(etag: "\"1\"")]])
        let outcome = try #require(await stage.refresh(stage.order("/f")))
        guard case .changed(let answer, let feed, episodes: 2) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(feed.title == "News" && feed.episodes.isEmpty)
        #expect(answer.version.conditions == RequestConditions(etag: "\"1\"") && answer.version.hash != nil)
        #expect(answer.source == .loopback && answer.permanentURL == nil)
        #expect(stage.recorder.titles(of: 0) == ["b", "a"])
        #expect(stage.recorder.calls(of: 0).last == .finished(title: "News", isTruncated: false))
    }

    @Test("A feed with a known version is not sent again, and no sink is opened", arguments: ["\"1\"", "W/\"1\""])
    func notModified(etag: String) async throws {
        let stage = try RefreshStage()
        let script = NewsFeed.script(etag: etag)
        stage.server.handle("/f") { request, _ in script.honouringConditions(request) }
        let first = try #require(await stage.refresh(stage.order("/f"))?.answer)
        let calls = stage.recorder.calls(of: 0)
        #expect(await stage.refresh(stage.order("/f") { $0.known = first.version }) == .unchanged(first))
        #expect(stage.server.requests.map(\.status) == [200, 304] && stage.recorder.calls(of: 0) == calls)
    }

    @Test("A full refresh requests the whole feed, and a changed version is delivered as new")
    func full() async throws {
        let stage = try RefreshStage()
        let script = NewsFeed.script(etag: "\"2\"")
        stage.server.handle("/f") { request, _ in script.honouringConditions(request) }
        let known = FeedVersion(conditions: RequestConditions(etag: "\"2\""), hash: 1)
        let full = stage.order("/f") { ($0.known, $0.isFull) = (known, true) }
        #expect(await stage.refresh(full)?.text == "changed 2")
        #expect(stage.server.requests.last?.fields["if-none-match"] == nil)
        let older = stage.order("/f") { $0.known = FeedVersion(conditions: RequestConditions(etag: "\"1\"")) }
        #expect(await stage.refresh(older)?.text == "changed 2")
    }

    @Test("Identical bytes count as unchanged even if the server ignores conditional requests")
    func sameBytes() async throws {
        let stage = try RefreshStage(["/f": [NewsFeed.script(etag: "\"1\""), NewsFeed.script(etag: "\"2\"")]])
        let first = try #require(await stage.refresh(stage.order("/f"))?.answer)
        let again = try #require(await stage.refresh(stage.order("/f", id: 1) { $0.known = first.version }))
        #expect(again.text == "unchanged" && again.answer?.version.conditions.etag == "\"2\"")
        #expect(stage.recorder.calls(of: 1).last == .abandoned)
    }

    @Test("Status 410 is reported as gone")
    func gone() async throws {
        let stage = try RefreshStage(["/f": [.status(410)]])
        #expect(await stage.refresh(stage.order("/f")) == .gone)
    }

    @Test("The permanent address is the end of the leading permanent redirects, whether or not the feed changed")
    func moved() async throws {
        let stage = try RefreshStage([
            "/1": [.redirect(to: "/2", code: 301)], "/2": [.redirect(to: "/3", code: 302)],
            "/3": [.redirect(to: "/f", code: 301)],
        ])
        let script = NewsFeed.script(etag: "\"1\"")
        stage.server.handle("/f") { request, _ in script.honouringConditions(request) }
        let first = try #require(await stage.refresh(stage.order("/1"))?.answer)
        #expect(first.permanentURL == stage.server.url("/2"))
        let unchanged = await stage.refresh(stage.order("/1") { $0.known = first.version })
        #expect(unchanged == .unchanged(first))
        #expect(await stage.refresh(stage.order("/2"))?.answer?.permanentURL == nil)
    }

    @Test("A short Retry-After is waited for, and a longer one is reported", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        let date = ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        let stage = try RefreshStage([
            "/soon": [.status(status, fields: [("Retry-After", "0")]), NewsFeed.script()],
            "/date": [
                .status(status, fields: [date, ("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")]), NewsFeed.script(),
            ],
        ])
        let busy = try FaultServer(["/f": [.status(status, fields: [("Retry-After", "600")])]], on: .second)
        var orders = ["/soon", "/date"].enumerated().map { stage.order($1, id: Int64($0)) }
        orders.append(RefreshOrder(id: 2, url: busy.url("/f")))
        let outcomes = await stage.refresh(orders)
        #expect(outcomes[0]?.text == "changed 2" && outcomes[1]?.text == "changed 2")
        guard case .failed(let failure, retryAfter: .seconds(600)) = outcomes[2] else {
            Issue.record("\(String(describing: outcomes[2]))")
            return
        }
        #expect(failure.reason.contains("\(status)") && busy.requests.count == 1)
    }

    @Test(
        "A temporary failure is retried once, a permanent one is not",
        arguments: [
            ("interrupted", [NewsFeed.script().cut(after: 100), NewsFeed.script()], "changed 2", 2),
            ("no answer", [NewsFeed.script().with { $0.isMute = true }, NewsFeed.script()], "changed 2", 2),
            ("500", [.status(500), NewsFeed.script()], "changed 2", 2),
            ("500 twice", [.status(500)], "failed: the server answered 500 Internal Server Error", 2),
            ("404", [.status(404)], "failed: the server answered 404 Not Found", 1),
            ("429", [.status(429)], "failed: the server answered 429 Too Many Requests", 1),
            ("page", [.webPage()], "no feed: not a feed: it is an HTML page", 1),
            ("empty", [NewsFeed.script([])], "no feed: not a feed: it is empty", 1),
            (
                "audio", [FaultScript(body: Array("ID3".utf8))],
                "no feed: not a feed: the server sends it as audio (audio/mpeg)", 1
            ),
        ] as [(String, [FaultScript], String, Int)])
    func again(name: String, scripts: [FaultScript], text: String, requests: Int) async throws {
        let stage = try RefreshStage(["/f": scripts])
        #expect(await stage.refresh(stage.order("/f"))?.text == text)
        #expect(stage.server.requests.count == requests)
    }

    @Test("The episodes of an interrupted feed are abandoned before the retry")
    func brokenOff() async throws {
        let episodes = (0..<1000).map { "\($0)" }
        let feed = NewsFeed.script(NewsFeed.bytes(episodes: episodes))
        let stage = try RefreshStage(["/f": [feed.cut(after: 100_000), feed]])
        #expect(await stage.refresh(stage.order("/f"))?.text == "changed 1000")
        let calls = stage.recorder.calls(of: 0)
        let ends = calls.filter { if case .takes = $0 { false } else { true } }
        #expect(ends == [.abandoned, .finished(title: "News", isTruncated: false)])
        #expect(stage.recorder.titles(of: 0).suffix(1000).compactMap(\.self) == episodes)
    }

    @Test("A truncated feed without a declared length is used, but its validators are not stored")
    func truncated() async throws {
        let cut = NewsFeed.script(Array(NewsFeed.bytes().dropLast(20)), etag: "\"1\"").with { $0.framing = .untilClose }
        let stage = try RefreshStage(["/f": [cut]])
        let outcome = try #require(await stage.refresh(stage.order("/f")))
        #expect(outcome.answer?.version.conditions == RequestConditions())
        #expect(stage.recorder.calls(of: 0).last == .finished(title: "News", isTruncated: true))
    }

    @Test("A password stored separately from the address is sent")
    func credentials() async throws {
        let stage = try RefreshStage(["/f": [NewsFeed.script()]])
        let order = stage.order("/f") { $0.credentials = Credentials(user: "me", password: "secret") }
        #expect(await stage.refresh(order)?.text == "changed 2")
        #expect(stage.server.requests.map(\.authorization) == ["Basic bWU6c2VjcmV0"])
    }
}
