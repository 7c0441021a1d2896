// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Testing

@Suite("Names of podcasts and episodes")
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
        "A podcast is found by number, address, GUID, title or words of the title",
        arguments: [
            ("p1", 1), ("P2", 2), ("https://host.example/news.xml", 2), ("p-guid", 1), ("harbour tales", 1),
            ("HARBOUR NEWS", 2), ("tales", 1), ("new", 2),
        ] as [(String, Int64)])
    func podcast(name: String, id: Int64) throws {
        #expect(try stage().library.podcast(named: name).id == id)
    }

    @Test(
        "A podcast is found without the accents and variants of its letters, in every script",
        arguments: [
            ("odegard", "Ødegård og sjøen"), ("ODEGÅRD OG SJOEN", "Ødegård og sjøen"), ("cafe lodz", "Café Łódź"),
            ("lodz", "Café Łódź"), ("Café Łódź", "Café Łódź"), ("雨", "港の雨ラジオ"), ("ﾗｼﾞｵ", "港の雨ラジオ"),
            ("港の雨ラジオ", "港の雨ラジオ"), ("ميناء", "حكاية الميناء"), ("حكايه الميناء", "حكاية الميناء"),
            ("лед и", "Лёд и море"), ("radio", "Radio深夜便"), ("radio深夜", "Radio深夜便"),
        ])
    func folded(name: String, title: String) throws {
        let stage = try LibraryStage()
        let titles = ["Ødegård og sjøen", "Café Łódź", "港の雨ラジオ", "حكاية الميناء", "Лёд и море", "Radio深夜便"]
        for (number, title) in zip(1..., titles) {
            let podcast = try stage.subscribe("https://host.example/\(number)")
            try stage.merge([.numbered(number, title: "Part \(number)")], into: podcast, feed: .titled(title))
        }
        #expect(try stage.library.podcast(named: name).name == title)
        #expect(try stage.library.object(named: name).name == title)
    }

    @Test("The number of another episode is no word of a title, and that of a merged episode stays valid")
    func goneNumbers() throws {
        let stage = try stage()
        let tales = try stage.subscribe("https://host.example/tales.xml")
        try stage.merge([.numbered(7, title: "Part 3")], into: tales)
        #expect(throws: LibraryError.self) { try stage.library.episode(named: "3", in: tales) }
        try stage.library.merge(1, into: 2)
        #expect(try stage.library.episode(named: "1").id == 2)
    }

    @Test("A podcast with the title as typed is preferred to one whose title differs in an accent")
    func typedAccents() throws {
        let stage = try LibraryStage()
        for (number, title) in zip(1..., ["Cafe", "Café"]) {
            try stage.merge([], into: try stage.subscribe("https://host.example/\(number)"), feed: .titled(title))
        }
        #expect(try stage.library.podcast(named: "CAFE").name == "Cafe")
        #expect(try stage.library.podcast(named: "café").name == "Café")
        #expect(#expect(throws: LibraryError.self) { try stage.library.podcast(named: "càfe") }?.kind == .ambiguous)
    }

    @Test("A complete title finds its episode, however many newer ones begin with it")
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
        "A private feed is found by its address with the password, which appears in no message",
        arguments: ["http://joe:secret@host.example/p", "joe:secret@host.example/s"])
    func privateAddress(typed: String) throws {
        let stage = try stage()
        let library = stage.library
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

    @Test("A complete title is preferred to a title that contains the words")
    func exact() throws {
        let stage = try stage()
        let short = try stage.subscribe("https://host.example/short.xml")
        try stage.merge([], into: short, feed: .titled("Harbour"))
        #expect(try stage.library.podcast(named: "harbour").id == short)
        #expect(try stage.library.episode(named: "the storm").title == "The storm")
    }

    @Test(
        "An episode is found by number, GUID or words of its title, the last of them incomplete",
        arguments: [
            ("3", "The storm"), ("guid-of-none", nil), ("g2", "The storm, part two"), ("part", "The storm, part two"),
            ("two storm", "The storm, part two"), ("grosse", "Größe und Öl"), ("grösse", "Größe und Öl"),
            ("größe", "Größe und Öl"),
            ("ol", "Größe und Öl"), ("2024", "2024 in a minute"), ("minu", "2024 in a minute"),
            ("the storm!", "The storm"), ("'storm\" AND (", nil), ("", nil), ("*", nil),
        ] as [(String, String?)])
    func episode(name: String, title: String?) throws {
        let stage = try stage()
        let library = stage.library
        guard let title else {
            #expect(throws: LibraryError.self) { try library.episode(named: name) }
            return
        }
        #expect(try library.episode(named: name).title == title)
    }

    @Test("A GUID may be a number, but the library's own number takes precedence")
    func numericGUID() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(2, guid: "4711"), .numbered(1, guid: "2")], into: try stage.subscribe())
        #expect(try stage.library.episode(named: "4711").id == 2)
        #expect(try stage.library.episode(named: "2").guid == "4711")
    }

    @Test("An ambiguous name is refused with the candidates")
    func ambiguous() throws {
        let stage = try stage()
        let library = stage.library
        let podcast = #expect(throws: LibraryError.self) { try library.podcast(named: "harbour") }
        #expect(podcast?.kind == .ambiguous)
        #expect(podcast?.reason == "\"harbour\" matches several podcasts")
        #expect(podcast?.choices == ["p2 Harbour News", "p1 Harbour Tales"])
        let episode = #expect(throws: LibraryError.self) { try library.episode(named: "storm") }
        #expect(episode?.kind == .ambiguous)
        // A GUID that two podcasts use identifies neither.
        #expect(throws: LibraryError.self) { try library.episode(named: "urn:3") }
        #expect(try library.episode(named: "urn:3", in: 1).title == "The storm")
    }

    @Test("Episodes with the same title are listed with their podcasts")
    func alike() throws {
        let stage = try stage()
        let sea = try stage.subscribe("https://host.example/sea.xml")
        try stage.merge([.numbered(6, title: "The Storm")], into: sea, feed: .titled("Sea"))
        let error = #expect(throws: LibraryError.self) { try stage.library.episode(named: "the storm") }
        #expect(error?.choices == ["6 The Storm (Sea)", "3 The storm (Harbour Tales)"])
        #expect(error?.reason == "\"the storm\" matches several episodes")
    }

    @Test("An unknown name is reported as missing")
    func missing() throws {
        let stage = try stage()
        let library = stage.library
        #expect(#expect(throws: LibraryError.self) { try library.podcast(named: "sea") }?.kind == .missing)
        #expect(#expect(throws: LibraryError.self) { try library.episode(named: "99") }?.kind == .missing)
    }

    @Test("A number identifies an episode; the number of a podcast requires a p or --podcast")
    func numbers() throws {
        let stage = try stage()
        let library = stage.library
        #expect(try library.object(named: "2").name == "The storm, part two")
        #expect(try library.object(named: "p2").name == "Harbour News")
        let error = #expect(throws: LibraryError.self) { try library.podcast(named: "2") }
        #expect(error?.kind == .missing)
        #expect(error?.reason
            == "no podcast is called \"2\": 2 is the episode \"The storm, part two\"; podcast 2 is written p2")
        #expect(try library.podcast(named: "2", isPodcast: true).id == 2)
        #expect(#expect(throws: LibraryError.self) { try library.episode(named: "p2") }?.kind == .missing)
    }

    @Test("A podcast with the complete title is preferred to episodes that contain its words")
    func podcastBeforeEpisode() throws {
        let stage = try stage()
        try stage.merge([.numbered(7, title: "Trailer: Harbour Tales")], into: 1, isComplete: false)
        let match = try stage.library.object(named: "harbour tales")
        #expect(match.name == "Harbour Tales" && match.isExact)
        let error = #expect(throws: LibraryError.self) { try stage.library.episode(named: "harbour tales") }
        #expect(error?.reason == "\"Harbour Tales\" is a podcast: name one of its episodes")
        #expect(try stage.library.episode(named: "harbour tales", in: 1).title == "Trailer: Harbour Tales")
        #expect(try stage.library.object(named: "trailer harbour tales").name == "Trailer: Harbour Tales")
    }

    @Test("A podcast with the complete title, but for its accents, is preferred to an episode that contains it")
    func accentedPodcastBeforeEpisode() throws {
        let stage = try stage()
        try stage.merge([], into: 1, feed: .titled("Éric’s Harbour Tales"))
        try stage.merge([.numbered(7, title: "Trailer: Éric’s Harbour Tales")], into: 2, isComplete: false)
        for name in ["eric's harbour tales", "ERIC’S HARBOUR TALES", "éric’s  harbour   tales"] {
            let match = try stage.library.object(named: name)
            #expect(match.name == "Éric’s Harbour Tales" && match.isExact)
        }
    }

    @Test("A complete episode title is preferred to words of a podcast title, and is an exact match")
    func episodeBeforeWords() throws {
        let stage = try stage()
        try stage.merge([.numbered(7, title: "Tales")], into: 2, feed: .titled("Harbour News"), isComplete: false)
        let whole = try stage.library.object(named: "tales")
        #expect(whole.name == "Tales" && whole.isExact)
        let words = try stage.library.object(named: "tale")
        #expect(words.name == "Harbour Tales" && !words.isExact)
    }

    @Test(
        "A GUID in a feed cannot override a title or a number", arguments: [("tales", 1), ("p2", 2)])
    func hostileGUID(word: String, id: Int64) throws {
        let stage = try stage()
        let evil = try stage.subscribe("https://evil.example/feed.xml")
        var feed = ParsedFeed.titled("Evil")
        feed.podcastGUID = word
        try stage.merge([.numbered(9, guid: word, title: "Nasty")], into: evil, feed: feed)
        #expect(try stage.library.podcast(named: word).id == id)
        guard case .podcast(let podcast) = try stage.library.object(named: word).object else { throw Surprise() }
        #expect(podcast.id == id)
    }

    @Test("A title set by the user is preferred to the title of a feed")
    func ownTitle() throws {
        let stage = try stage()
        try stage.library.rename(1, to: "Mine")
        try stage.merge([], into: 2, feed: .titled("Mine"))
        #expect(try stage.library.podcast(named: "mine").id == 1)
        #expect(try stage.library.podcast(named: "harbour tales").id == 1)
    }

    @Test("Of several matching titles, those that begin with the word come first")
    func closest() throws {
        let stage = try LibraryStage()
        let titles = ["Of rope and oar", "Rope", "Rope", "Rope and sail", "The rope", "A rope"]
        try stage.merge(
            titles.indices.map { .numbered($0 + 1, title: titles[$0]) }, into: try stage.subscribe())
        let error = #expect(throws: LibraryError.self) { try stage.library.object(named: "ro") }
        #expect(error?.choices.count == 6 && error?.choices.last == "...")
        let whole = #expect(throws: LibraryError.self) { try stage.library.object(named: "rope") }
        #expect(whole?.choices == ["4 Rope (Harbour Tales)", "5 Rope (Harbour Tales)"])
    }

    private struct Surprise: Error {}
}

extension NameMatch<NamedThing> {
    fileprivate var name: String {
        switch object {
        case .podcast(let podcast): podcast.name
        case .episode(let episode): episode.name
        }
    }
}
