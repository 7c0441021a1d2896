// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

@Suite("Undo")
struct UndoTests {
    private func stage() throws -> (LibraryStage, podcast: Int64, episodes: [Int64]) {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast).new
        return (stage, podcast, ids)
    }

    @Test("Undoing an unsubscription restores positions and the queue")
    func unsubscribe() throws {
        let (stage, podcast, ids) = try stage()
        try stage.library.save(PlaybackPosition(position: .seconds(42)), of: ids[0], .act)
        try stage.library.enqueue([ids[1], ids[2]])
        try stage.library.unsubscribe(podcast)
        #expect(try stage.library.podcasts().isEmpty)
        #expect(try stage.library.queue().isEmpty)
        let act = try stage.library.undo()
        #expect(act.verb == .unsubscribe)
        #expect(try stage.library.podcasts().map(\.id) == [podcast])
        #expect(try stage.library.queue().map(\.id) == [ids[1], ids[2]])
        #expect(try stage.library.episode(ids[0]).position == .seconds(42))
    }

    @Test("Undoing a mark as played restores the position")
    func mark() throws {
        let (stage, _, ids) = try stage()
        try stage.library.save(PlaybackPosition(position: .seconds(42)), of: ids[0], .act)
        try stage.library.mark(ids, played: true)
        #expect(try stage.library.episodes(EpisodeFilter(states: [.played]), limit: 9).episodes.count == 3)
        _ = try stage.library.undo()
        #expect(try stage.library.episodes(EpisodeFilter(states: [.played]), limit: 9).episodes.isEmpty)
        #expect(try stage.library.episode(ids[0]).position == .seconds(42))
        #expect(try stage.library.episode(ids[0]).progress == .started)
    }

    @Test("Actions are undone one after the other, the latest first")
    func several() throws {
        let (stage, _, ids) = try stage()
        try stage.library.enqueue([ids[0]])
        try stage.library.enqueue([ids[1]])
        try stage.library.clearQueue()
        #expect(try stage.library.undo().verb == .queue)
        #expect(try stage.library.queue().map(\.id) == [ids[0], ids[1]])
        _ = try stage.library.undo()
        #expect(try stage.library.queue().map(\.id) == [ids[0]])
        _ = try stage.library.undo()
        #expect(try stage.library.queue().isEmpty)
        #expect(try stage.library.undo().verb == .subscribe)
        #expect(throws: LibraryError(.missing, "nothing to undo")) { try stage.library.undo() }
    }

    @Test("An episode that left its feed is kept as long as an action on it can be undone")
    func departed() throws {
        let (stage, podcast, ids) = try stage()
        try stage.library.enqueue([ids[1]])
        try stage.library.save(PlaybackPosition(position: .seconds(42)), of: ids[0], .act)
        let bookmark = try stage.library.addBookmark(ids[2], at: .seconds(1))
        // The episode leaves the feed, the user removes it from the queue, and after a month it is forgotten.
        try stage.merge([.numbered(3), .numbered(2)], into: podcast)
        try stage.passDays(.seconds(40 * 86_400))
        try stage.library.dequeue([ids[1]])
        try stage.library.removeBookmark(bookmark)
        try stage.library.emptyTrash()
        #expect(try stage.library.undo().verb == .removeBookmark)
        #expect(try stage.library.bookmarks().map(\.episode) == [ids[2]])
        _ = try stage.library.undo()
        #expect(try stage.library.queue().map(\.id) == [ids[1]])
        try stage.library.removeBookmark(bookmark)
        try stage.passDays(.seconds(31 * 86_400))
        try stage.library.emptyTrash()
        #expect(throws: LibraryError.self) { try stage.library.episode(ids[2]) }
    }

    @Test("Undo restores settings, bookmarks and removed downloads")
    func others() throws {
        let (stage, podcast, ids) = try stage()
        try stage.library.set("keep", to: "5", for: podcast)
        try stage.library.set("keep", to: "9", for: podcast)
        _ = try stage.library.undo()
        #expect(try stage.library.settings(of: podcast) == ["keep": "5"])
        let bookmark = try stage.library.addBookmark(ids[0], at: .seconds(3), title: "here")
        try stage.library.removeBookmark(bookmark)
        _ = try stage.library.undo()
        #expect(try stage.library.bookmarks(of: ids[0]).map(\.title) == ["here"])
        try stage.library.requestDownload(ids[0], by: .listener)
        try stage.library.removeDownloads([ids[0]])
        #expect(try stage.library.downloads().isEmpty)
        _ = try stage.library.undo()
        #expect(try stage.library.downloads().map(\.episode) == [ids[0]])
    }

    @Test("Undoing a merge separates the two episodes with all their state")
    func merge() throws {
        let (stage, _, ids) = try stage()
        try stage.library.save(PlaybackPosition(position: .seconds(7), heard: .zero ..< .seconds(7)), of: ids[0], .act)
        try stage.library.enqueue([ids[0]])
        try stage.library.merge(ids[0], into: ids[1])
        #expect(try stage.library.episode(ids[1]).position == .seconds(7))
        #expect(try stage.library.queue().map(\.id) == [ids[1]])
        #expect(throws: LibraryError.self) { try stage.library.episode(ids[0]) }
        _ = try stage.library.undo()
        #expect(try stage.library.episode(ids[0]).position == .seconds(7))
        #expect(try stage.library.queue().map(\.id) == [ids[0]])
        #expect(try stage.library.playedRanges(of: ids[0]) == [.zero ..< .seconds(7)])
        #expect(try stage.library.episode(ids[1]).progress == .unplayed)
        #expect(try stage.library.search("number 3", limit: 5).map(\.id).contains(ids[0]) == false)
        while try stage.library.indexSome() > 0 {}
        #expect(try stage.library.search("number 3", limit: 5).map(\.id) == [ids[0]])
    }

    @Test("Undoing a split merges the episode again that a refresh has added since; the next undo restores both")
    func split() throws {
        let (stage, podcast, ids) = try stage()
        try stage.library.save(PlaybackPosition(position: .seconds(1200)), of: ids[1], .act)
        try stage.library.merge(ids[0], into: ids[1])
        #expect(try stage.library.split(ids[1]) == 2)
        let added = try #require(
            try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast).new.first)
        stage.pass(.seconds(60))
        try stage.library.save(PlaybackPosition(position: .seconds(7)), of: added, .act)
        #expect(try stage.library.undo().verb == .split)
        #expect(try stage.titles() == ["Episode 2", "Episode 1"])
        #expect(try stage.library.episode(ids[1]).position == .seconds(7))
        #expect(try stage.library.undo().verb == .merge)
        #expect(try stage.library.episode(ids[1]).position == .seconds(1200))
        #expect(try stage.library.episode(added).position == .seconds(7))
        #expect(try stage.library.undo().verb == .merge)
        #expect(try stage.titles() == ["Episode 3", "Episode 2", "Episode 1"])
        #expect(try ids.prefix(2).map { try stage.library.episode($0).position } == [.seconds(7), .seconds(1200)])
        #expect(try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast).unchanged == 3)
    }

    @Test("Undoing a split also merges an episode without audio again, unless others have its GUID", arguments: [1, 2])
    func splitWithoutAudio(count: Int) throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let posts = (1...2).map { number in
            var post = ParsedEpisode.numbered(number, guid: "post")
            post.enclosures = []
            return post
        }
        let document = [ParsedEpisode.numbered(3)] + posts.prefix(1)
        let ids = try stage.merge(document, into: podcast).new
        try stage.library.merge(ids[1], into: ids[0])
        _ = try stage.library.split(ids[0])
        let added = try stage.merge([ParsedEpisode.numbered(3)] + posts.prefix(count), into: podcast).new
        #expect(added.count == count)
        #expect(try stage.library.undo().verb == .split)
        #expect(try stage.titles().count == (count == 1 ? 1 : 3))
    }

    @Test("If undoing a merge merges a restored episode with the one that a refresh has added, undo restores that one")
    func restoredTwice() throws {
        let (stage, podcast, ids) = try stage()
        try stage.library.save(PlaybackPosition(position: .seconds(42)), of: ids[0], .act)
        try stage.library.merge(ids[0], into: ids[1])
        _ = try stage.library.split(ids[1])
        let added = try #require(
            try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast).new.first)
        stage.pass(.seconds(60))
        try stage.library.save(PlaybackPosition(position: .seconds(7)), of: added, .act)
        for _ in 0..<3 { try stage.library.undo() }
        #expect(try stage.library.episode(ids[0]).position == .seconds(7))
        #expect(try stage.library.undo().subject == "Episode 3")
        #expect(try stage.library.episode(ids[0]).position == .seconds(42))
        #expect(try stage.library.episode(added).position == .seconds(7))
    }

    @Test("Undoing a merge also recognizes an episode that a refresh has added while the clock was behind")
    func restoredWithLateClock() throws {
        let (stage, podcast, ids) = try stage()
        let titles = try stage.titles()
        try stage.library.merge(ids[0], into: ids[1])
        _ = try stage.library.split(ids[1])
        stage.pass(.seconds(-86_400))
        let added = try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast).new
        #expect(added.count == 1)
        for _ in 0..<3 { try stage.library.undo() }
        #expect(try stage.titles() == titles)
    }

    @Test("Undoing a merge restores the chapters of a fetched document")
    func chapters() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        var episode = ParsedEpisode.numbered(1)
        episode.chaptersURL = "https://host.example/chapters.json"
        try stage.merge([.numbered(2), episode], into: podcast)
        let document = try #require(try stage.library.dueChapterDocument(ofPlayed: 1))
        let list = ChapterList(
            .json, [Chapter(start: .zero, title: "One"), Chapter(start: .seconds(60), title: "Two")])
        try stage.library.store(list, from: document)
        let before = try stage.library.chapterLists(of: 1)
        #expect(before.map(\.source) == [.json])
        try stage.library.merge(1, into: 2)
        _ = try stage.library.undo()
        #expect(try stage.library.chapterLists(of: 1) == before)
    }

    @Test("Emptying the trash deletes only entries older than a month")
    func emptied() throws {
        let (stage, podcast, _) = try stage()
        try stage.library.unsubscribe(podcast)
        stage.pass(.seconds(29 * 86_400))
        try stage.library.emptyTrash()
        _ = try stage.library.undo()
        #expect(try stage.library.podcasts().count == 1)
        try stage.library.unsubscribe(podcast)
        try stage.passDays(.seconds(31 * 86_400))
        try stage.library.emptyTrash()
        #expect(throws: LibraryError.self) { try stage.library.podcast(podcast) }
        #expect(throws: LibraryError(.missing, "nothing to undo")) { try stage.library.undo() }
    }
}
