// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import HTTPTransfer
import Media
import Subscriptions
import Testing

@Suite("LibraryRefresh", .timeLimit(.minutes(TimeLimit.factor)))
struct LibraryRefreshTests {
    @Test("A refresh stores and reports new episodes for each podcast separately")
    func news() async throws {
        let home = try RefreshedLibrary()
        let news = try home.subscribe("/news", NewsFeed.script())
        let tales = try home.subscribe("/tales", NewsFeed.script(NewsFeed.bytes("Tales", episodes: ["c"])))
        let broken = try home.subscribe("/broken", .status(404))
        let became = try await home.refresh()
        #expect(
            try became[news]?.outcome
                == .changed(
                    new: home.library.episodes(
                        EpisodeFilter(podcast: news), limit: 9
                    ).episodes.map(\.id), edited: 0))
        #expect(try home.stage.titles(of: tales) == ["c"])
        guard case .failed(let failure, _) = became[broken]?.outcome else {
            Issue.record("\(became)")
            return
        }
        #expect(failure.kind == .missing)
        #expect(try await home.refresh([news])[news]?.outcome == .unchanged)
    }

    @Test("Unless requested, a feed rests for an hour, and a gone feed rests for ever")
    func rests() async throws {
        let home = try RefreshedLibrary()
        let news = try home.subscribe("/news", NewsFeed.script())
        let gone = try home.subscribe("/gone", .status(410))
        let first = try await home.refresh(isAsked: false)
        #expect(first[gone]?.outcome == .gone)
        #expect(try home.library.podcast(gone).feed.goneAt != nil)
        home.stage.pass(.seconds(3599))
        let next = UTCTime(secondsSince1970: home.library.currentTime.secondsSince1970 + 1)
        let second = try await home.refresh(isAsked: false)
        #expect(second[news]?.outcome == .rests(until: next))
        #expect(second[gone]?.outcome == .rests(until: nil))
        home.stage.pass(.seconds(1))
        #expect(try await home.refresh(isAsked: false)[news]?.outcome == .unchanged)
        #expect(home.server.requests(for: "/gone").count == 1)
        #expect(try await home.refresh([gone])[gone]?.outcome == .gone)
    }

    @Test("A split takes effect at the next refresh, and its undo is permanent")
    func split() async throws {
        let home = try RefreshedLibrary()
        let podcast = try home.subscribe("/news", NewsFeed.script())
        try await home.refresh()
        let ids = try home.library.episodes(EpisodeFilter(), limit: 9).episodes.map(\.id)
        try home.library.merge(ids[0], into: ids[1])
        #expect(try await home.refresh()[podcast]?.outcome == .unchanged)
        #expect(try home.library.split(ids[1]) > 0)
        #expect(try home.library.undo().verb == .split)
        try await home.refresh()
        #expect(try home.stage.titles().count == 1)
        #expect(try home.library.split(ids[1]) > 0)
        try await home.refresh()
        #expect(try home.stage.titles().count == 2)
        #expect(try await home.refresh()[podcast]?.outcome == .unchanged)
    }

    @Test("A refused page is requested again if the first page has changed, and after twenty answers")
    func refusedPage() async throws {
        let home = try RefreshedLibrary()
        home.serve(.status(403), at: "/2")
        _ = try home.subscribe("/1", NewsFeed.script(NewsFeed.bytes(episodes: ["b"], next: "/2"), etag: "\"1\""))
        for _ in 0..<4 { try await home.refresh() }
        #expect(home.server.requests(for: "/2").count == 2)
        home.serve(NewsFeed.script(NewsFeed.bytes(episodes: ["c", "b"], next: "/2"), etag: "\"2\""), at: "/1")
        for _ in 0..<2 { try await home.refresh() }
        #expect(home.server.requests(for: "/2").count == 3)
        home.serve(NewsFeed.script(NewsFeed.bytes(episodes: ["a"])), at: "/2")
        for _ in 0..<20 { try await home.refresh() }
        #expect(try home.stage.titles().sorted() == ["a", "b", "c"])
        #expect(home.server.requests(for: "/2").count == 4)
    }

    @Test("A podcast that is named twice is requested once")
    func twice() async throws {
        let home = try RefreshedLibrary()
        let news = try home.subscribe("/news", NewsFeed.script())
        #expect(try await home.refresh([news, news]).count == 1)
        #expect(home.server.requests.count == 1)
    }

    private func secure(_ url: String) -> String { url.replacing("http:", with: "https:") }

    @Test("A permanent redirect moves a podcast, unless another podcast has that address")
    func moves() async throws {
        let home = try RefreshedLibrary()
        home.serve(NewsFeed.script(), at: "/new")
        let old = try home.subscribeSecurely("/old", .redirect(to: "/new", code: 301))
        let became = try await home.refresh()
        #expect(became[old]?.newAddress == home.secureURL("/new"))
        #expect(try home.url(of: old) == home.secureURL("/new"))
        #expect(try home.library.formerAddresses(of: old) == [home.secureURL("/old")])
        let other = try home.subscribeSecurely("/other", .redirect(to: "/new", code: 301))
        let refused = try #require(try await home.refresh([other])[other])
        #expect(refused.newAddress == nil && refused.takenAddress?.url == home.secureURL("/new"))
        #expect(refused.takenAddress?.owner.id == old)
        #expect(try home.url(of: other) == home.secureURL("/other"))
    }

    @Test("An interrupted subscription does not block a move to its address")
    func interrupted() async throws {
        let home = try RefreshedLibrary()
        home.serve(NewsFeed.script(), at: "/new")
        let podcast = try home.subscribeSecurely("/old", .redirect(to: "/new", code: 301))
        let prepared = try home.library.prepare(Subscription(feedURL: home.secureURL("/new"))).id
        try home.stage.merge([.numbered(1)], into: prepared)
        #expect(try await home.refresh([podcast])[podcast]?.newAddress == home.secureURL("/new"))
        #expect(try home.url(of: podcast) == home.secureURL("/new"))
        _ = try home.library.undo()
        #expect(try home.url(of: podcast) == home.secureURL("/old") && home.library.podcasts().count == 1)
    }

    @Test("A document that ends inside an episode adds no duplicate of it")
    func cut() async throws {
        let home = try RefreshedLibrary()
        let podcast = try home.subscribe("/feed", NewsFeed.script())
        try await home.refresh()
        let whole = String(decoding: NewsFeed.bytes(), as: UTF8.self)
        let end = try #require(whole.ranges(of: "<guid>").last).lowerBound
        home.serve(NewsFeed.script(Array(whole[..<end].utf8)), at: "/feed")
        let news = try await home.refresh()[podcast]
        #expect(news?.outcome == .changed(new: [], edited: 0))
        #expect(try home.stage.titles() == ["b", "a"])
    }

    @Test("A podcast moves to the announced address after a feed was read there")
    func announced() async throws {
        let home = try RefreshedLibrary()
        let podcast = try home.subscribeSecurely("/old", NewsFeed.announcing(home.secureURL("/new")))
        home.serve(.status(404), at: "/new")
        try await home.refresh()
        #expect(try home.url(of: podcast) == home.secureURL("/old"))
        home.serve(NewsFeed.announcing(home.secureURL("/new"), title: "Old news"), at: "/old")
        home.serve(NewsFeed.announcing(home.secureURL("/new")), at: "/new")
        let news = try #require(try await home.refresh()[podcast])
        #expect(news.newAddress == home.secureURL("/new"))
        #expect(try home.url(of: podcast) == home.secureURL("/new"))
        #expect(try home.stage.titles().count == 2)
        #expect(try await home.refresh()[podcast]?.outcome == .unchanged)
    }

    @Test("An announced address that cannot be read is reported, and requested again; the feed is read only once")
    func announcedTooEarly() async throws {
        let home = try RefreshedLibrary()
        let feed = NewsFeed.announcing(home.secureURL("/new")).with { $0.etag = "\"1\"" }
        let podcast = try home.subscribeSecurely("/old", feed)
        home.serve(.status(404), at: "/new")
        for _ in 0..<2 {
            let news = try #require(try await home.refresh()[podcast])
            #expect(news.newAddress == nil && news.unreadAddress?.url == home.secureURL("/new"))
            #expect(news.unreadAddress?.failure.kind == .missing)
        }
        #expect(home.server.requests(for: "/old").map { $0.fields["if-none-match"] } == [nil, "\"1\""])
        home.serve(NewsFeed.script(), at: "/new")
        let news = try #require(try await home.refresh()[podcast])
        #expect(news.newAddress == home.secureURL("/new") && news.unreadAddress == nil)
        #expect(try home.url(of: podcast) == home.secureURL("/new"))
    }

    @Test("An announced address of another podcast is reported at each refresh")
    func announcedTaken() async throws {
        let home = try RefreshedLibrary()
        let other = try home.subscribeSecurely("/new", NewsFeed.script())
        let podcast = try home.subscribeSecurely("/old", NewsFeed.announcing(home.secureURL("/new")))
        for _ in 0..<2 {
            let news = try #require(try await home.refresh([podcast])[podcast])
            #expect(news.newAddress == nil && news.takenAddress?.owner.id == other)
        }
        #expect(try home.url(of: podcast) == home.secureURL("/old"))
    }

    @Test("Two addresses that announce each other do not cause a loop")
    func circle() async throws {
        let home = try RefreshedLibrary()
        let podcast = try home.subscribeSecurely("/a", NewsFeed.announcing(home.secureURL("/b")))
        home.serve(NewsFeed.announcing(home.secureURL("/a")), at: "/b")
        try await home.refresh()
        #expect(try home.url(of: podcast) == home.secureURL("/a"))
        #expect(try await home.refresh()[podcast]?.outcome == .unchanged)
        #expect(home.server.requests(for: "/b").count == 1)
    }

    @Test("A password follows a move only within its origin")
    func password() async throws {
        let home = try RefreshedLibrary()
        let abroad = try FaultServer(["/new": [NewsFeed.script()]], on: .second)
        home.serve(NewsFeed.script(), at: "/near")
        let login = Login(user: "me", password: "secret")
        let near = try home.subscribeSecurely("/old", .redirect(to: "/near", code: 301))
        let far = try home.subscribeSecurely("/leaving", .redirect(to: abroad.url("/new"), code: 301))
        for podcast in [near, far] { try home.library.keep(login, for: podcast) }
        try await home.refresh()
        try await home.refresh()
        #expect(try home.url(of: far) == secure(abroad.url("/new")))
        #expect(try home.library.login(for: near) == login && home.library.login(for: far) == nil)
        #expect(abroad.requests.allSatisfy { $0.authorization == nil } && abroad.requests.count == 2)
    }

    @Test("An announced address gets the password only within its origin")
    func announcedOrigin() async throws {
        let home = try RefreshedLibrary()
        // The same host with another port is another origin.
        let abroad = try FaultServer(["/new": [NewsFeed.script()]])
        home.server.handle("/near") { request, _ in request.authorization == nil ? .status(401) : NewsFeed.script() }
        let login = Login(user: "me", password: "secret")
        let near = try home.subscribeSecurely("/old", NewsFeed.announcing(home.secureURL("/near")))
        let far = try home.subscribeSecurely("/leaving", NewsFeed.announcing(secure(abroad.url("/new"))))
        for podcast in [near, far] { try home.library.keep(login, for: podcast) }
        try await home.refresh()
        #expect(try home.url(of: near) == home.secureURL("/near") && home.url(of: far) == secure(abroad.url("/new")))
        #expect(try home.library.login(for: near) == login && home.library.login(for: far) == nil)
        #expect(abroad.requests.allSatisfy { $0.authorization == nil } && abroad.requests.count == 2)
    }

    @Test("A password in an announced address is neither stored nor sent")
    func announcedPassword() async throws {
        let home = try RefreshedLibrary()
        let url = "https://joe:secret@\(home.server.authority)/new"
        let podcast = try home.subscribeSecurely("/old", NewsFeed.announcing(url))
        home.serve(NewsFeed.script(), at: "/new")
        let news = try #require(try await home.refresh()[podcast])
        #expect(news.newAddress == home.secureURL("/new"))
        #expect(try home.url(of: podcast) == home.secureURL("/new"))
        #expect(try home.library.login(for: podcast) == nil)
        #expect(home.server.requests.allSatisfy { $0.authorization == nil })
    }

    @Test("Over plain http a move is never stored, and a redirect is followed each time")
    func unproven() async throws {
        let home = try RefreshedLibrary()
        home.serve(NewsFeed.script(), at: "/new")
        let redirected = try home.subscribe("/old", .redirect(to: "/new", code: 301))
        let announcing = try home.subscribe("/announcing", NewsFeed.announcing(home.server.url("/new")))
        for _ in 0..<2 {
            let became = try await home.refresh()
            #expect(became[redirected]?.newAddress == nil && became[announcing]?.newAddress == nil)
        }
        #expect(try home.url(of: redirected) == home.server.url("/old"))
        #expect(try home.url(of: announcing) == home.server.url("/announcing"))
        #expect(try home.stage.titles(of: redirected).count == 2)
        #expect(home.server.requests(for: "/old").count == 2 && home.server.requests(for: "/announcing").count == 2)
        #expect(try home.library.formerAddresses(of: redirected) == [])
    }

    @Test("Undoing a move is permanent and keeps the subscription")
    func undone() async throws {
        let home = try RefreshedLibrary()
        home.serve(NewsFeed.script(), at: "/new")
        let podcast = try home.subscribeSecurely("/old", NewsFeed.script())
        try await home.refresh()
        home.serve(.redirect(to: "/new", code: 301), at: "/old")
        #expect(try await home.refresh()[podcast]?.newAddress == home.secureURL("/new"))
        #expect(try home.library.undo().verb == .moveFeed)
        #expect(try home.url(of: podcast) == home.secureURL("/old"))
        #expect(try home.library.podcasts().map(\.id) == [podcast])
        let became = try await home.refresh()[podcast]
        #expect(became?.newAddress == nil && became?.takenAddress == nil)
        #expect(try home.url(of: podcast) == home.secureURL("/old"))
        #expect(try home.library.formerAddresses(of: podcast) == [home.secureURL("/new")])
    }

    @Test("A public feed cannot lead to a private address")
    func reach() async throws {
        let home = try RefreshedLibrary()
        let podcast = try home.subscribeSecurely("/old", NewsFeed.announcing(home.secureURL("/new")))
        home.serve(NewsFeed.script(), at: "/new")
        try await home.refresh()
        let asked = home.transport.requests
        // The first request may go to any address; an announced address and later requests may not.
        #expect(asked.map(\.addressScope.mayBePrivate) == [true, false, false])
        try await home.refresh([podcast])
        #expect(home.transport.requests.last?.addressScope.mayBePrivate == false)
    }
}
