// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import HTTPTransfer
import Subscriptions
import Testing

@Suite("FeedRefresher: paged feeds (RFC 5005)", .timeLimit(.minutes(TimeLimit.factor)))
struct FeedPagingTests {
    private func page(_ episodes: String..., title: String = "News", next: String? = nil) -> FaultScript {
        NewsFeed.script(NewsFeed.bytes(title, episodes: episodes, next: next), etag: "\"\(title)\"")
    }

    private func first(_ stage: RefreshStage) -> RefreshOrder { stage.order("/1") { $0.wantsOlderPages = true } }

    @Test("All pages are read in order, with the show from the first; without the option only the first is read")
    func pages() async throws {
        let stage = try RefreshStage([
            "/1": [page("f", "e", title: "First", next: "/2")], "/2": [page("d", "c", title: "Second", next: "3")],
            "/3": [page("b", "a", title: "Third")],
        ])
        let outcome = try #require(await stage.refresh(first(stage)))
        guard case .changed(let answer, let feed, episodes: 6) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(feed.title == "First" && !feed.isTruncated && answer.version.conditions.etag == "\"First\"")
        #expect(stage.recorder.titles(of: 0) == ["f", "e", "d", "c", "b", "a"])
        #expect(await stage.refresh(stage.order("/1", id: 1))?.text == "changed 2")
    }

    @Test("The archives of a feed are read, and an entry that they repeat is delivered once")
    func archives() async throws {
        let archive = { (episodes: [String], next: String?) in
            NewsFeed.script(NewsFeed.bytes(episodes: episodes, next: next, relation: "prev-archive"))
        }
        let stage = try RefreshStage([
            "/1": [archive(["d", "c"], "/2")], "/2": [archive(["c", "b"], "/3")], "/3": [archive(["b", "a"], nil)],
        ])
        #expect(await stage.refresh(first(stage))?.text == "changed 4")
        #expect(stage.recorder.titles(of: 0) == ["d", "c", "b", "a"])
    }

    @Test("An archived entry is recognized although its audio has another signature")
    func signed() async throws {
        let page = { (episodes: [String], next: String?, signature: String) in
            let text = String(decoding: NewsFeed.bytes(episodes: episodes, next: next), as: UTF8.self)
            return NewsFeed.script(Array(text.replacing(".mp3", with: ".mp3?signature=\(signature)").utf8))
        }
        let stage = try RefreshStage(["/1": [page(["c", "b"], "/2", "7")], "/2": [page(["b", "a"], nil, "8")]])
        #expect(await stage.refresh(first(stage))?.text == "changed 3")
        #expect(stage.recorder.titles(of: 0) == ["c", "b", "a"])
    }

    @Test("Pages in a circle are read once each")
    func circle() async throws {
        let stage = try RefreshStage([
            "/1": [page("b", next: "/2")], "/2": [page("a", next: "/1#again")], "/self": [page("c", next: "/self/")],
        ])
        #expect(await stage.refresh(first(stage))?.text == "changed 2")
        #expect(await stage.refresh(stage.order("/self") { $0.wantsOlderPages = true })?.text == "changed 1")
        #expect(stage.server.requests.map(\.path) == ["/1", "/2", "/self"])
    }

    @Test("At most fifty pages are read")
    func cap() async throws {
        let stage = try RefreshStage()
        for number in 1...60 { stage.server.serve("/\(number)", page("\(number)", next: "/\(number + 1)")) }
        #expect(await stage.refresh(first(stage))?.text == "changed 50")
    }

    @Test(
        "If a later page fails, the earlier ones are kept, and one that no longer exists is not requested again",
        arguments: [
            (.status(404), false), (.status(410), false), (.status(403), true), (.webPage(), true),
            (.status(503), true), (NewsFeed.script().cut(after: 100), true),
        ] as [(FaultScript, Bool)])
    func laterFailure(second: FaultScript, isRetried: Bool) async throws {
        let stage = try RefreshStage(["/1": [page("b", next: "/2")], "/2": [second]])
        guard case .changed(_, let feed, _) = await stage.refresh(first(stage)) else {
            Issue.record("not changed")
            return
        }
        #expect(feed.isTruncated == isRetried)
        #expect(stage.recorder.titles(of: 0).first == "b")
        #expect(stage.recorder.calls(of: 0).last == .finished(title: "News", isTruncated: true))
    }

    @Test("The feed's password is sent only to pages of its origin")
    func credentials() async throws {
        let other = try FaultServer(["/3": [page("a")]], on: .second)
        let stage = try RefreshStage([
            "/1": [page("c", next: "/2")], "/2": [page("b", next: other.url("/3"))],
        ])
        var order = first(stage)
        order.credentials = Credentials(user: "me", password: "secret")
        #expect(await stage.refresh(order)?.text == "changed 3")
        #expect(stage.server.requests.map { $0.authorization != nil } == [true, true])
        #expect(other.requests.map(\.authorization) == [nil])
    }
}
