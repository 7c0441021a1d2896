// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import HTTPTransfer
import Subscriptions
import Testing

@Suite("Feeds of a private network, and feeds with a password", .timeLimit(.minutes(TimeLimit.factor)))
struct PrivateFeedTests {
    @Test(
        "A feed that was found in the private network may stay there",
        arguments: [
            .privateNetwork, nil,
        ] as [AddressClass?])
    func privateReach(source: AddressClass?) async throws {
        let home = try RefreshedLibrary()
        home.transport.source = source
        let podcast = try home.subscribeSecurely("/feed", NewsFeed.script())
        try await home.refresh()
        home.transport.source = .public
        try await home.refresh()
        try await home.refresh()
        #expect(home.transport.requests.last?.addressScope.mayBePrivate == (source != nil))
        #expect(try home.library.podcast(podcast).feed.isPublic == (source == nil))
    }

    @Test("The undone moves of a feed in the private network leave it there, also those of one refresh")
    func undoneMoves() async throws {
        let home = try RefreshedLibrary()
        home.transport.source = .privateNetwork
        home.serve(NewsFeed.script(), at: "/last")
        home.serve(.redirect(to: "/last", code: 301), at: "/next")
        let podcast = try home.subscribeSecurely("/old", NewsFeed.announcing(home.secureURL("/next")))
        try await home.refresh()
        #expect(try home.url(of: podcast) == home.secureURL("/last"))
        for address in ["/next", "/old"] {
            _ = try home.library.undo()
            #expect(try home.url(of: podcast) == home.secureURL(address))
            #expect(try home.library.podcast(podcast).feed.isPublic == false)
        }
    }

    @Test("The addresses of a feed with a password are shown without tokens")
    func shownAddresses() async throws {
        let home = try RefreshedLibrary()
        let podcast = try home.subscribeSecurely("/feed", NewsFeed.script())
        try home.library.keep(Login(user: "me", password: "secret"), for: podcast)
        let news = try #require(try await home.refresh()[podcast])
        #expect(news.shown("https://h.example/5f0c1d2e3a4b5c6d7e8f9a0b/rss") == "https://h.example/***/rss")
    }
}
