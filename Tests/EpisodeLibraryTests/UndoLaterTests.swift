// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

@Suite("Undo after later changes")
struct UndoLaterTests {
    /// Returns an entry that was published together with the first one.
    /// - Parameter audio: the number of the entry whose audio it has; `nil`: its own.
    private static func published(_ number: Int, audio: Int? = nil) -> ParsedEpisode {
        var episode = ParsedEpisode.numbered(number)
        episode.published = ParsedEpisode.numbered(1).published
        episode.enclosures = ParsedEpisode.numbered(audio ?? number).enclosures
        return episode
    }

    @Test("A position saved after an action is kept when the action is undone")
    func position() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        try stage.library.mark([id], played: true)
        try stage.library.save(PlaybackPosition(position: .seconds(700)), of: id, .act)
        _ = try stage.library.undo()
        #expect(try stage.library.episode(id).position == .seconds(700))
        #expect(try stage.library.episode(id).progress == .started)
    }

    @Test("The packet of an estimated position is not restored onto a position saved after the action")
    func anchor() throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        let anchor = TimeAnchor(offset: 3000, time: .seconds(3200), totalLength: 9000)
        let estimate = PlaybackPosition(position: .seconds(3300), from: anchor)
        for later in [nil, PlaybackPosition(position: .seconds(300))] {
            try stage.library.save(estimate, of: id, .act)
            try stage.library.mark([id], played: true)
            if let later { try stage.library.save(later, of: id, .act) }
            try stage.library.undo()
            let position = try stage.library.position(of: id)
            #expect(position?.position == (later ?? estimate).position)
            #expect(position?.anchor == (later ?? estimate).anchor)
        }
    }

    @Test("A bookmark whose time was corrected since is removed by undo")
    func bookmark() throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        let anchor = TimeAnchor(offset: 3000, time: .seconds(3200), totalLength: 9000)
        try stage.library.addBookmark(id, at: .seconds(3300), from: anchor)
        try stage.library.correctBookmarks(of: id, from: anchor, by: .seconds(-200))
        let undoing = try stage.library.undoLatest()
        #expect(undoing.hasRestored && undoing.act.verb == .bookmark)
        #expect(try stage.library.bookmarks().isEmpty)
    }

    @Test("Rows that a merge has deleted are not restored, and earlier actions can still be undone")
    func gone() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge([Self.published(2), .numbered(1)], into: podcast).new
        try stage.library.set("keep-days", to: "3")
        try stage.library.enqueue([ids[1]])
        try stage.library.clearQueue()
        // The entry with the second GUID has the first one's audio: they are one episode.
        let one = Self.published(2, audio: 1)
        _ = try stage.merge([one], into: podcast)
        #expect(try stage.library.undo().verb == .queue)
        #expect(try stage.library.undo().verb == .queue)
        #expect(try stage.library.undo().verb == .set)
        #expect(try stage.library.settings().isEmpty)
    }

    @Test("Rows that cannot be restored after a merge of two episodes are counted")
    func lost() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge([Self.published(2), .numbered(1)], into: podcast).new
        for id in ids {
            try stage.library.requestDownload(id, by: .rule)
            try stage.library.addBookmark(id, at: .seconds(1))
        }
        try stage.library.enqueue(ids)
        try stage.library.removeDownloads(ids)
        try stage.library.clearQueue()
        let one = Self.published(2, audio: 1)
        try stage.merge([one], into: podcast)
        let queue = try stage.library.undoLatest()
        #expect(queue.hasRestored && queue.lost == [.queueEntry: 1])
        let downloads = try stage.library.undoLatest()
        #expect(downloads.hasRestored && downloads.lost == [.download: 1])
        let marks = try stage.library.undoLatest()
        #expect(marks.lost.isEmpty)
    }

    @Test("An action without remaining rows restores no rows")
    func nothing() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge([Self.published(2), .numbered(1)], into: podcast).new
        try stage.library.enqueue([ids[1]])
        try stage.library.clearQueue()
        let one = Self.published(2, audio: 1)
        try stage.merge([one], into: podcast)
        let undoing = try stage.library.undoLatest()
        #expect(!undoing.hasRestored && undoing.lost == [.queueEntry: 1])
    }

    @Test("Episodes that the user merged stay merged although the feed has both")
    func merged() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge([.numbered(2), .numbered(1)], into: podcast).new
        try stage.library.merge(ids[0], into: ids[1])
        for notes in ["a", "b", "c"] {
            let report = try stage.merge(
                [.numbered(2, notes: notes), .numbered(1, notes: notes)], into: podcast)
            #expect(report.new.isEmpty)
        }
        #expect(try stage.titles(of: podcast) == ["Episode 1"])
    }

    @Test("A number is never reused")
    func numbers() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge([.numbered(2), .numbered(1)], into: podcast).new
        try stage.library.merge(ids[0], into: ids[1])
        let new = try stage.merge([.numbered(3), .numbered(1)], into: podcast).new
        #expect(new.allSatisfy { $0 > ids[0] })
    }

    @Test("An interrupted subscription to the former address does not block undo", arguments: [false, true])
    func address(isBack: Bool) throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe("https://a.example/")
        if isBack {
            try stage.library.moveBack(podcast, to: "https://b.example/")
        } else {
            #expect(try stage.library.moveFeed(podcast, to: "https://b.example/", because: "a test") == .moved)
        }
        // A process that is killed while it fetches the feed leaves such a row.
        _ = try stage.library.prepare(Subscription(feedURL: "https://a.example/"))
        #expect(try stage.library.undo().verb == .moveFeed)
        #expect(try stage.library.podcast(podcast).feedURL == "https://a.example/")
        #expect(try stage.library.undo().verb == .subscribe)
    }

    @Test("The journal shows the new address of a feed without its token")
    func addressWithToken() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe("https://a.example/")
        let outcome = try stage.library.moveFeed(podcast, to: "https://b.example/?token=s3cret", because: "a test")
        #expect(outcome == .moved)
        let subject = try stage.library.acts(limit: 1).first?.subject
        #expect(subject?.hasSuffix(", to https://b.example/?token=***") == true)
    }
}
