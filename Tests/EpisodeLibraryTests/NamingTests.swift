// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Testing

@Suite("Naming podcasts and episodes")
struct NamingTests {
    private func stage() throws -> LibraryStage {
        let stage = try LibraryStage()
        let harbour = try stage.subscribe("https://host.example/harbour.xml")
        let news = try stage.subscribe("https://host.example/news.xml")
        var titled = ParsedFeed.titled("Harbour Tales")
        titled.podcastGUID = "p-guid"
        try stage.merge(
            [
                .numbered(3, guid: "urn:3", title: "The storm"), .numbered(2, title: "The storm, part two"),
                .numbered(1, title: "Größe und Öl"),
            ], into: harbour, feed: titled)
        try stage.merge(
            [.numbered(5, guid: "urn:3", title: "2024 in a minute"), .numbered(4, title: "News")], into: news,
            feed: .titled("Harbour News"))
        return stage
    }

    @Test(
        "a podcast by number, address, GUID, title or words of it",
        arguments: [
            ("1", 1), ("2", 2), ("https://host.example/news.xml", 2), ("p-guid", 1), ("harbour tales", 1),
            ("HARBOUR NEWS", 2), ("tales", 1), ("new", 2),
        ] as [(String, Int64)])
    func podcast(name: String, id: Int64) throws {
        #expect(try stage().library.podcast(named: name).id == id)
    }

    @Test("a whole title names its episode, however many newer ones begin with it")
    func exactAmongMany() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let titles = (1...20).map { "Rain \($0)" } + ["Rain1", "Rain"]
        try stage.merge(titles.indices.map { .numbered($0 + 1, title: titles[$0]) }, into: podcast)
        for name in ["Rain 1", "rain 2", "RAIN1", "rain"] {
            #expect(try stage.library.episode(named: name).name.lowercased() == name.lowercased())
            #expect(try stage.library.episode(named: name, in: podcast).name.lowercased() == name.lowercased())
        }
        #expect(#expect(throws: LibraryError.self) { try stage.library.episode(named: "rai") }?.kind == .ambiguous)
    }

    @Test(
        "a feed with a password by its address as it was typed, and the password is in no message",
        arguments: ["http://joe:secret@host.example/p", "joe:secret@host.example/s"])
    func privateAddress(typed: String) throws {
        let library = try stage().library
        for reason in [
            #expect(throws: LibraryError.self) { try library.podcast(named: typed) }?.reason,
            #expect(throws: LibraryError.self) { try library.episode(named: typed) }?.reason,
        ] { #expect(reason?.contains("host.example/") == true && reason?.contains("secret") == false) }
        let login = Login(user: "joe", password: "secret")
        for url in ["http://host.example/p", "https://host.example/s"] {
            _ = try library.subscribe(Subscription(feedURL: url, login: login))
        }
        #expect(try library.podcast(named: typed).feedURL.hasSuffix(typed.suffix(14)))
    }

    @Test("a title that is all of it is preferred to one that only has the words")
    func exact() throws {
        let stage = try stage()
        let short = try stage.subscribe("https://host.example/short.xml")
        try stage.merge([], into: short, feed: .titled("Harbour"))
        #expect(try stage.library.podcast(named: "harbour").id == short)
        #expect(try stage.library.episode(named: "the storm").title == "The storm")
    }

    @Test(
        "an episode by number, GUID or words of its title, the last of them unfinished",
        arguments: [
            ("3", "The storm"), ("guid-of-none", nil), ("g2", "The storm, part two"), ("part", "The storm, part two"),
            ("two storm", "The storm, part two"), ("grosse", "Größe und Öl"), ("grösse", "Größe und Öl"),
            ("größe", "Größe und Öl"),
            ("ol", "Größe und Öl"), ("2024", "2024 in a minute"), ("minu", "2024 in a minute"),
            ("the storm!", "The storm"), ("'storm\" AND (", nil), ("", nil), ("*", nil),
        ] as [(String, String?)])
    func episode(name: String, title: String?) throws {
        let library = try stage().library
        guard let title else {
            #expect(throws: LibraryError.self) { try library.episode(named: name) }
            return
        }
        #expect(try library.episode(named: name).title == title)
    }

    @Test("a GUID may be a number; the library's own number goes first")
    func numericGUID() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(2, guid: "4711"), .numbered(1, guid: "2")], into: try stage.subscribe())
        #expect(try stage.library.episode(named: "4711").id == 2)
        #expect(try stage.library.episode(named: "2").guid == "4711")
    }

    @Test("what several are called is refused, with the candidates")
    func ambiguous() throws {
        let library = try stage().library
        let podcast = #expect(throws: LibraryError.self) { try library.podcast(named: "harbour") }
        #expect(podcast?.kind == .ambiguous)
        #expect(podcast?.reason == "'harbour' can be several: 2 Harbour News; 1 Harbour Tales")
        let episode = #expect(throws: LibraryError.self) { try library.episode(named: "storm") }
        #expect(episode?.kind == .ambiguous)
        // The GUID that two podcasts use means neither.
        #expect(throws: LibraryError.self) { try library.episode(named: "urn:3") }
        #expect(try library.episode(named: "urn:3", in: 1).title == "The storm")
    }

    @Test("episodes of one title are told apart by their podcasts")
    func alike() throws {
        let stage = try stage()
        let sea = try stage.subscribe("https://host.example/sea.xml")
        try stage.merge([.numbered(6, title: "The Storm")], into: sea, feed: .titled("Sea"))
        let error = #expect(throws: LibraryError.self) { try stage.library.episode(named: "the storm") }
        #expect(error?.candidates == "6 The Storm (Sea); 3 The storm (Harbour Tales)")
        #expect(error?.reason == "'the storm' can be several: 6 The Storm (Sea); 3 The storm (Harbour Tales)")
    }

    @Test("what nothing is called is missing")
    func missing() throws {
        let library = try stage().library
        #expect(#expect(throws: LibraryError.self) { try library.podcast(named: "sea") }?.kind == .missing)
        #expect(#expect(throws: LibraryError.self) { try library.episode(named: "99") }?.kind == .missing)
    }

    @Test("several names give each episode once, in their order")
    func several() throws {
        let library = try stage().library
        #expect(try library.episodes(named: ["part two", "3", "2"]).map(\.id) == [2, 3])
        #expect(throws: LibraryError.self) { try library.episodes(named: ["3", "snow"]) }
    }
}
