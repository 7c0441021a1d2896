// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

@Suite("Undo of a subscription")
struct UndoneSubscriptionTests {
    @Test("Undo moves the podcast with its positions to the trash, and a new subscription restores it")
    func trash() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        try stage.library.save(PlaybackPosition(position: .seconds(90)), of: id, .act)
        stage.pass(.seconds(60))
        #expect(try stage.library.undo().verb == .subscribe)
        #expect(try stage.library.podcasts().isEmpty)
        #expect(try stage.library.podcast(podcast).unsubscribedAt?.secondsSince1970 == LibraryStage.newYear + 60)
        #expect(try stage.subscribe() == podcast)
        #expect(try stage.library.episode(id).position == .seconds(90))
    }

    @Test("A new subscription restores only the downloads that were removed with the podcast", arguments: [true, false])
    func removed(byUndo: Bool) throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge([.numbered(2), .numbered(1)], into: podcast).new
        for id in ids {
            try stage.library.requestDownload(id, by: byUndo ? .rule : .listener)
            try stage.library.noteDownload(id, .complete, total: 1, extents: [0..<1])
        }
        try stage.library.removeDownloads([ids[0]])
        if byUndo { try stage.library.undo() }
        if byUndo { try stage.library.removeDownloads([ids[0]]) }
        try stage.library.unsubscribe(podcast)
        #expect(try stage.subscribe() == podcast)
        #expect(try stage.library.downloads().map(\.episode) == [ids[1]])
    }

    @Test("A new password is a change of its own in the journal, and undo brings the old one back")
    func newPassword() throws {
        let stage = try LibraryStage()
        var subscription = Subscription(feedURL: "https://a.example/", login: Login(user: "bob", password: "old"))
        let podcast = try stage.library.subscribe(subscription).id
        subscription.login = Login(user: "bob", password: "new")
        #expect(try stage.library.subscribe(subscription) == .known(podcast))
        #expect(try stage.library.login(for: podcast)?.password == "new")
        let act = try stage.library.undo()
        #expect(act.verb == .set && act.subject == "password of https://a.example/")
        #expect(try stage.library.login(for: podcast)?.password == "old")
    }

    @Test("A prepared podcast that was subscribed to is not dropped afterwards")
    func prepared() throws {
        let stage = try LibraryStage()
        let podcast = try stage.library.prepare(Subscription(feedURL: "https://a.example/")).id
        try stage.merge([.numbered(1)], into: podcast)
        _ = try stage.subscribe("https://a.example/")
        _ = try stage.library.undo()
        try stage.library.dropPrepared(podcast)
        #expect(try stage.library.podcasts().isEmpty)
        #expect(try stage.library.podcast(podcast).episodeCount == 1)
    }

    @Test("A subscription after an interrupted one is a new one, and can be dropped")
    func interrupted() throws {
        let stage = try LibraryStage()
        let library = stage.library
        let subscription = Subscription(feedURL: "https://a.example/")
        let podcast = try library.prepare(subscription).id
        #expect(try library.prepare(subscription) == .subscribed(podcast))
        try library.dropPrepared(podcast)
        #expect(throws: LibraryError.self) { try library.podcast(podcast) }
    }

    @Test("Words of deleted episodes are not found in new episodes")
    func numbers() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1, title: "Whale song")], into: try stage.subscribe())
        while try stage.library.indexSome() > 0 {}
        _ = try stage.library.undo()
        try stage.library.emptyTrash(olderThan: .seconds(-1))
        let other = try stage.subscribe("https://other.example/feed.xml")
        try stage.merge([.numbered(1, title: "Harbour")], into: other)
        while try stage.library.indexSome() > 0 {}
        #expect(try stage.library.search("whale", limit: 5).isEmpty)
        #expect(try stage.library.search("harbour", limit: 5).count == 1)
    }

    @Test("Undo restores a replaced password")
    func password() throws {
        let stage = try LibraryStage()
        let subscribe = { (password: String) in
            try stage.library.subscribe(
                Subscription(feedURL: "https://a.example/", login: Login(user: "me", password: password))
            ).id
        }
        let podcast = try subscribe("old")
        _ = try subscribe("new")
        _ = try stage.library.undo()
        #expect(try stage.library.login(for: podcast) == Login(user: "me", password: "old"))
    }
}

@Suite("Two merged episodes")
struct UnionTests {
    @Test("The played ranges of both are united")
    func heard() throws {
        let stage = try LibraryStage()
        let ids = try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe()).new
        try stage.library.save(.init(position: .seconds(50), heard: .zero ..< .seconds(50)), of: ids[0], .act)
        try stage.library.save(.init(position: .seconds(90), heard: .zero ..< .seconds(90)), of: ids[1], .act)
        try stage.library.merge(ids[1], into: ids[0])
        #expect(try stage.library.playedRanges(of: ids[0]) == [.zero ..< .seconds(90)])
    }

    @Test("Two episodes that were only marked as played are not in the history")
    func marked() throws {
        let stage = try LibraryStage()
        let ids = try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe()).new
        try stage.library.mark(ids, played: true)
        try stage.library.merge(ids[1], into: ids[0])
        #expect(try stage.library.history(limit: 5).isEmpty)
        #expect(try stage.library.episode(ids[0]).progress == .played)
    }
}
