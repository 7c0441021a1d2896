// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("Smart queues")
struct SmartQueueTests {
    private let stage: LibraryStage

    init() throws {
        stage = try LibraryStage()
        let podcast = try stage.library.subscribe(
            Subscription(feedURL: "https://host.example/feed.xml", folder: ["Sea", "Ports"])
        ).id
        try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast)
        let news = try stage.subscribe("https://host.example/news.xml")
        try stage.merge([.numbered(9)], into: news, feed: .titled("Sea News"))
    }

    private var library: Library { stage.library }

    private func titles(_ name: String) throws -> [String] {
        try library.episodes(of: library.smartQueue(named: name)).map(\.name)
    }

    @Test("A smart queue has the unplayed episodes of its scope, in its order, up to its limit")
    func rules() throws {
        _ = try library.createSmartQueue("All", .everything, newestFirst: true, most: 2)
        _ = try library.createSmartQueue("Ports", .group("ports"), newestFirst: false, most: 50)
        _ = try library.createSmartQueue("News", .podcast(2), newestFirst: false, most: 50)
        #expect(try titles("all") == ["Episode 9", "Episode 3"])
        #expect(try titles("ports") == ["Episode 1", "Episode 2", "Episode 3"])
        #expect(try titles("news") == ["Episode 9"])
        #expect(try library.smartQueues().map(\.name) == ["All", "News", "Ports"])
    }

    @Test("Played and new episodes change it, and an unsubscribed podcast leaves it")
    func upToDate() throws {
        _ = try library.createSmartQueue("All", .everything, newestFirst: true, most: 2)
        try library.finish(4, heard: nil)
        #expect(try titles("all") == ["Episode 3", "Episode 2"])
        try stage.merge([.numbered(20)], into: 2, feed: .titled("Sea News"), isComplete: false)
        #expect(try titles("all") == ["Episode 20", "Episode 3"])
        try library.unsubscribe(2)
        #expect(try titles("all") == ["Episode 3", "Episode 2"])
    }

    @Test("An episode that plays or was skipped does not count, so that another one enters")
    func notCounted() throws {
        let queue = try library.createSmartQueue("All", .everything, newestFirst: true, most: 2)
        let ids = try library.episodes(of: queue).map(\.id)
        func titles(notCounting others: [Int64]) throws -> [String] {
            try library.episodes(of: queue, notCounting: Set(others)).map(\.name)
        }
        #expect(try titles(notCounting: [ids[0]]) == ["Episode 9", "Episode 3", "Episode 2"])
        #expect(try titles(notCounting: [ids[1]]) == ["Episode 9", "Episode 3", "Episode 2"])
        #expect(try titles(notCounting: ids) == ["Episode 9", "Episode 3", "Episode 2", "Episode 1"])
        #expect(try titles(notCounting: [77]) == ["Episode 9", "Episode 3"])
    }

    @Test("An import adds groups to a podcast that has none, and changes no others")
    func importedGroups() throws {
        let outcomes = try library.importing([
            Subscription(feedURL: "https://host.example/feed.xml", folder: ["News"]),
            Subscription(feedURL: "https://host.example/news.xml", folder: ["News"]),
        ])
        #expect(outcomes == [.known(1), .known(2)])
        #expect(try library.podcasts(inGroup: "news").map(\.id) == [2])
        #expect(try library.podcasts(inGroup: "ports").map(\.id) == [1])
        _ = try library.undo()
        let missing = LibraryError(.missing, "there is no group \"news\"; the groups are \"Sea / Ports\"")
        #expect(throws: missing) { try library.podcasts(inGroup: "news") }
        _ = try library.importing([Subscription(feedURL: "https://host.example/news.xml", folder: ["Sea", "TV/Film"])])
        for name in ["TV/Film", "sea / tv/film"] {
            #expect(try library.podcasts(inGroup: name).map(\.id) == [2], "\(name)")
        }
        for name in ["TV", "Film", "/"] {
            #expect(throws: LibraryError.self, "\(name)") { try library.podcasts(inGroup: name) }
        }
    }

    @Test("Accents and punctuation of the name of a group do not matter, unless another group has that name")
    func groupNames() throws {
        _ = try library.importing([
            Subscription(feedURL: "https://host.example/c.xml", folder: ["News & Größe"]),
            Subscription(feedURL: "https://host.example/d.xml", folder: ["C"]),
            Subscription(feedURL: "https://host.example/e.xml", folder: ["C++"]),
            Subscription(feedURL: "https://host.example/f.xml", folder: ["♥"]),
        ])
        let wanted: [(name: String, podcast: Int64)] = [
            ("news größe", 3), ("NEWS, Grosse", 3), ("c", 4), ("c++", 5), ("♥", 6), ("sea/pörts", 1),
        ]
        for (name, podcast) in wanted {
            #expect(try library.podcasts(inGroup: name).map(\.id) == [podcast], "\(name)")
        }
        for name in ["★", "news", "&"] {
            #expect(throws: LibraryError.self, "\(name)") { try library.podcasts(inGroup: name) }
        }
    }

    @Test("A smart queue has the spelling of its group, and stays empty after that group lost its last podcast")
    func lostGroup() throws {
        _ = try library.importing([
            Subscription(feedURL: "https://host.example/c.xml", folder: ["C"]),
            Subscription(feedURL: "https://host.example/d.xml", folder: ["Code", "C++"]),
        ])
        try stage.merge([.numbered(11)], into: 3, feed: .titled("Plain"))
        try stage.merge([.numbered(12)], into: 4, feed: .titled("Plus"))
        let queue = try library.createSmartQueue("Plus", .group("c++"), newestFirst: true, most: 5)
        #expect(queue.scope == .group("C++"))
        #expect(try titles("plus") == ["Episode 12"])
        try library.unsubscribe(4)
        #expect(try titles("plus") == [])
    }

    @Test("A smart queue of a group with the same words keeps that group; several of them are ambiguous")
    func foldedGroup() throws {
        _ = try library.importing([
            Subscription(feedURL: "https://host.example/c.xml", folder: ["Code", "News & Größe"]),
            Subscription(feedURL: "https://host.example/d.xml", folder: ["C#"]),
            Subscription(feedURL: "https://host.example/e.xml", folder: ["C++"]),
        ])
        try stage.merge([.numbered(11)], into: 3, feed: .titled("Plain"))
        let name = try library.createSmartQueue("Name", .group("news grosse"), newestFirst: true, most: 5)
        let path = try library.createSmartQueue("Path", .group("code/news grosse"), newestFirst: true, most: 5)
        #expect(name.scope == .group("News & Größe") && path.scope == .group("Code / News & Größe"))
        #expect(try titles("name") == ["Episode 11"])
        #expect(try titles("path") == ["Episode 11"])
        #expect(try library.podcasts(inGroup: "c").map(\.id).sorted() == [4, 5])
        let error = #expect(throws: LibraryError.self) {
            _ = try library.createSmartQueue("C", .group("c"), newestFirst: true, most: 5)
        }
        #expect(error?.kind == .ambiguous && error?.choices == ["C#", "C++"])
    }

    @Test("Accents and punctuation of the name of a smart queue do not matter, unless another one has that name")
    func foldedNames() throws {
        for name in ["Mörning 2", "C", "C++", "Sea-Tales", "Sea Tales!"] {
            _ = try library.createSmartQueue(name, .everything, newestFirst: true, most: 5)
        }
        let wanted = [
            ("morning 2", "Mörning 2"), ("MÖRNING, 2", "Mörning 2"), ("c", "C"), ("c++", "C++"),
            ("sea-tales", "Sea-Tales"),
        ]
        for (name, queue) in wanted { #expect(try library.smartQueue(named: name).name == queue, "\(name)") }
        for name in ["morning", "++", ""] {
            #expect(#expect(throws: LibraryError.self) { try library.smartQueue(named: name) }?.kind == .missing)
        }
        let error = #expect(throws: LibraryError.self) { try library.smartQueue(named: "sea tales") }
        #expect(error?.kind == .ambiguous && error?.choices == ["Sea Tales!", "Sea-Tales"])
    }

    @Test("Creation and deletion can be undone")
    func undo() throws {
        let queue = try library.createSmartQueue("Ports", .group("sea/ports"), newestFirst: true, most: 5)
        try library.deleteSmartQueue(queue)
        #expect(try library.smartQueues() == [])
        _ = try library.undo()
        #expect(try library.smartQueues() == [queue])
        _ = try library.undo()
        #expect(try library.smartQueues() == [])
    }

    @Test("A name is used once, and a group must exist")
    func refused() throws {
        _ = try library.createSmartQueue("Ports", .everything, newestFirst: true, most: 5)
        #expect(
            #expect(throws: LibraryError.self) {
                _ = try library.createSmartQueue("PORTS", .everything, newestFirst: true, most: 5)
            }?.kind == .invalid)
        #expect(
            #expect(throws: LibraryError.self) {
                _ = try library.createSmartQueue("Hills", .group("hills"), newestFirst: true, most: 5)
            }?.kind == .missing)
        #expect(#expect(throws: LibraryError.self) { try library.smartQueue(named: "hills") }?.kind == .missing)
    }
}
