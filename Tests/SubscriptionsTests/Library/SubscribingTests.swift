// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import HTTPTransfer
import Media
import Subscriptions
import Testing

@Suite("Subscribing", .timeLimit(.minutes(TimeLimit.factor)))
struct SubscribingTests {
    private let home: RefreshedLibrary

    init() throws {
        home = try RefreshedLibrary()
        home.serve(NewsFeed.script(), at: "/feed")
    }

    private func subscribe(_ path: String) async throws -> Subscribing.Outcome {
        try await Subscribing(home.library, transport: home.transport).subscribe(home.server.url(path)).outcome
    }

    @Test("New, known and restored subscriptions are distinguished")
    func outcomes() async throws {
        guard case .subscribed(let podcast) = try await subscribe("/feed") else { throw Surprise() }
        #expect(podcast.title == "News" && podcast.episodeCount == 2)
        #expect(try await subscribe("/feed") == .known(home.library.podcast(podcast.id)))
        try home.library.unsubscribe(podcast.id)
        guard case .restored(let back) = try await subscribe("/feed") else { throw Surprise() }
        #expect(back.id == podcast.id && back.unsubscribedAt == nil)
    }

    @Test("A failed subscription leaves no trace, and a later attempt succeeds", arguments: [404, 410, 500])
    func failure(status: Int) async throws {
        home.serve(.status(status), at: "/feed")
        await #expect(throws: MediaFailure.self) { try await subscribe("/feed") }
        #expect(try home.library.podcasts().isEmpty && home.library.feeds([1]).isEmpty)
        #expect(try home.library.acts(limit: 1).isEmpty)
        home.serve(NewsFeed.script(), at: "/feed")
        guard case .subscribed(let podcast) = try await subscribe("/feed") else { throw Surprise() }
        #expect(podcast.id == 1)
        #expect(try home.library.episodes(limit: 9).episodes.map(\.id).min() == 1)
    }

    @Test("Of a page with several feeds the first is subscribed to, and all are reported")
    func page() async throws {
        let link = { (path: String) in "<link rel=alternate type=application/rss+xml href=\(path)>" }
        let page = "<html><head>\(link("/feed"))\(link("/comments"))</head></html>"
        home.serve(FaultScript(body: Array(page.utf8), contentType: "text/html"), at: "/")
        let result = try await Subscribing(home.library, transport: home.transport).subscribe(home.server.url("/"))
        guard case .subscribed(let podcast) = result.outcome else { throw Surprise() }
        #expect(podcast.id == 1)
        #expect(result.feedsOfPage == ["/feed", "/comments"].map(home.server.url))
    }

    private func subscribeSecurely(_ path: String) async throws -> Subscribing.Outcome {
        try await Subscribing(home.library, transport: home.transport).subscribe(home.secureURL(path)).outcome
    }

    @Test("A moved feed is subscribed to at its new address, and both addresses identify it")
    func moved() async throws {
        home.serve(.redirect(to: "/feed", code: 301), at: "/old")
        guard case .subscribed(let podcast) = try await subscribeSecurely("/old") else { throw Surprise() }
        #expect(podcast.feedURL == home.secureURL("/feed"))
        for path in ["/old", "/feed"] {
            guard case .known(let known) = try await subscribeSecurely(path) else { throw Surprise() }
            #expect(known.id == podcast.id && known.feedURL == podcast.feedURL)
        }
        home.serve(.redirect(to: "/feed", code: 301), at: "/older")
        #expect(try await subscribeSecurely("/older") == .known(home.library.podcast(podcast.id)))
        #expect(try home.library.podcasts().count == 1)
        // Undo reverts the subscription: a move during it is not a separate action.
        #expect(try home.library.acts(limit: 9).map(\.verb) == [.subscribe])
        try home.library.unsubscribe(podcast.id)
        guard case .restored = try await subscribeSecurely("/older") else { throw Surprise() }
    }

    @Test("A feed that announces the address of a known podcast leads to that podcast")
    func announcingKnown() async throws {
        guard case .subscribed(let podcast) = try await subscribeSecurely("/feed") else { throw Surprise() }
        home.serve(NewsFeed.announcing(home.secureURL("/feed")), at: "/old")
        guard case .known(let known) = try await subscribeSecurely("/old") else { throw Surprise() }
        #expect(known.id == podcast.id)
        #expect(try home.library.podcasts().count == 1)
    }

    @Test("Subscribing to the former address of a podcast moves it back", arguments: [true, false])
    func movedBack(isSubscribed: Bool) async throws {
        guard case .subscribed(let podcast) = try await subscribeSecurely("/feed") else { throw Surprise() }
        home.serve(.redirect(to: "/new", code: 301), at: "/feed")
        home.serve(NewsFeed.script(), at: "/new")
        try await home.refresh()
        #expect(try home.url(of: podcast.id) == home.secureURL("/new"))
        home.serve(NewsFeed.script(), at: "/feed")
        if !isSubscribed { try home.library.unsubscribe(podcast.id) }
        switch try await subscribeSecurely("/feed") {
        case .movedBack(let back), .restored(let back):
            #expect(back.id == podcast.id && back.feedURL == home.secureURL("/feed"))
            #expect(back.episodeCount == 2)
        default: throw Surprise()
        }
        #expect(try home.library.formerAddresses(of: podcast.id) == [home.secureURL("/new")])
        #expect(try home.library.podcasts().map(\.id) == [podcast.id])
    }

    @Test("A public page cannot lead to a private address")
    func privatePage() async throws {
        home.server.handle("/page") { [home] _, _ in
            FaultScript(
                body: Array(
                    """
                    <!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" \
                    href="\(home.secureURL("/feed"))"></head></html>
                    """.utf8), contentType: "text/html")
        }
        _ = try await subscribeSecurely("/page")
        let asked = home.transport.requests.filter { $0.url == home.secureURL("/feed") }
        #expect(asked.map(\.addressScope.mayBePrivate) == [false])
    }

    @Test("Subscribing again to a failing feed requests it again")
    func again() async throws {
        guard case .subscribed(let podcast) = try await subscribe("/feed") else { throw Surprise() }
        home.serve(.status(404), at: "/feed")
        try await home.refresh()
        home.serve(NewsFeed.script(), at: "/feed")
        guard case .known(let known) = try await subscribe("/feed") else { throw Surprise() }
        #expect(known.id == podcast.id && known.feed.failures == 0)
    }

    @Test("A password is replaced after the feed was read with the new one, and undo restores it")
    func password() async throws {
        // The answer to the new password also requires that the old one is still stored.
        home.server.handle("/feed") { [home] request, _ in
            switch request.authorization {
            case "Basic bWU6b2xk": NewsFeed.script()
            case "Basic bWU6bmV3" where (try? home.library.login(for: 1))?.password == "old": NewsFeed.script()
            default: .status(401)
            }
        }
        let login = { (password: String) async throws -> String? in
            let url = home.server.url("/feed").replacing("http://", with: "http://me:\(password)@")
            _ = try await Subscribing(home.library, transport: home.transport).subscribe(url)
            return try home.library.login(for: 1)?.password
        }
        #expect(try await login("old") == "old")
        await #expect(throws: MediaFailure.self) { try await login("bad") }
        #expect(try home.library.login(for: 1)?.password == "old")
        #expect(try await login("new") == "new")
        _ = try home.library.undo()
        #expect(try home.library.login(for: 1)?.password == "old" && home.library.podcasts().count == 1)
    }

    @Test("A token is stored only when the feed was read with it, so that an interruption loses nothing")
    func token() async throws {
        let imported = home.server.url("/feed?token=***")
        _ = try home.library.importing([Subscription(feedURL: imported)])
        home.server.handle("/feed") { [home] request, _ in
            // The answer requires that the library is as before: the process may end now.
            guard (try? home.url(of: 1)) == imported else { return .status(500) }
            return request.query == "token=g00dT0ken" ? NewsFeed.script() : .status(403)
        }
        await #expect(throws: MediaFailure.self) { try await subscribe("/feed?token=b4dT0ken") }
        #expect(try home.url(of: 1) == imported)
        guard case .restored(let podcast) = try await subscribe("/feed?token=g00dT0ken") else { throw Surprise() }
        #expect(podcast.id == 1 && podcast.feedURL == home.server.url("/feed?token=g00dT0ken"))
        #expect(podcast.episodeCount == 2)
    }

    @Test("The password of an interrupted subscription is not used later")
    func interruptedPassword() async throws {
        let url = home.server.url("/feed")
        let wrong = Subscription(feedURL: url, login: Login(user: "me", password: "bad"))
        _ = try home.library.prepare(wrong)
        home.server.handle("/feed") { request, _ in
            request.authorization == nil ? NewsFeed.script() : .status(401)
        }
        guard case .subscribed = try await subscribe("/feed") else { throw Surprise() }
        #expect(try home.library.login(for: 1) == nil)
    }

    private struct Surprise: Error {}
}
