// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Testing

@testable import EpisodeLibrary

@Suite("Merging a document into the library")
struct FeedMergeTests {
    @Test("A first document adds all its episodes, and the newest has the highest number")
    func first() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let report = try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast)
        #expect(report.new.count == 3)
        #expect(report.new == report.new.sorted(by: >))
        #expect(try stage.titles() == ["Episode 3", "Episode 2", "Episode 1"])
        #expect(try stage.library.podcast(podcast).title == "Harbour Tales")
    }

    @Test("The same document again changes nothing")
    func again() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let episodes = [ParsedEpisode.numbered(2), .numbered(1)]
        try stage.merge(episodes, into: podcast)
        let report = try stage.merge(episodes, into: podcast)
        #expect(report.new.isEmpty && report.changed == 0 && report.unchanged == 2 && report.left == 0)
    }

    @Test("An edited episode keeps its number and its position")
    func edited() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        try stage.library.save(PlaybackPosition(position: .seconds(90)), of: id, .tick)
        let report = try stage.merge([.numbered(1, title: "The storm")], into: podcast)
        #expect(report.changed == 1)
        let episode = try stage.library.episode(id)
        #expect(episode.title == "The storm")
        #expect(episode.position == .seconds(90))
    }

    @Test("An episode with a changed GUID is identified by its audio and keeps its position")
    func changedGUID() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        try stage.library.save(PlaybackPosition(position: .seconds(90)), of: id, .tick)
        let url = "https://count.example/e/host.example/1.mp3?token=abc"
        let report = try stage.merge([.numbered(1, guid: "other", url: url)], into: podcast)
        #expect(report.new.isEmpty)
        #expect(try stage.library.episode(id).position == .seconds(90))
        #expect(try stage.library.notes(of: id).identity == "enclosure")
    }

    @Test("An episode that leaves the feed is hidden, unless it is played, queued, downloaded or bookmarked")
    func left() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge((1...6).map { .numbered($0) }, into: podcast).new.sorted()
        // The document listed the oldest first, so the numbers are in reverse order.
        let byDay = Dictionary(uniqueKeysWithValues: zip(1...6, ids.reversed()))
        try stage.library.save(PlaybackPosition(position: .seconds(5)), of: #require(byDay[1]), .act)
        try stage.library.enqueue([#require(byDay[2])])
        try stage.library.requestDownload(#require(byDay[3]), by: .listener)
        try stage.library.addBookmark(#require(byDay[4]), at: .seconds(1))
        let report = try stage.merge([.numbered(6)], into: podcast)
        #expect(report.left == 5)
        #expect(try stage.titles() == ["Episode 6", "Episode 4", "Episode 3", "Episode 2", "Episode 1"])
    }

    @Test("A truncated document, an empty one, or one page of several removes no episodes")
    func partial() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.merge([.numbered(2), .numbered(1)], into: podcast)
        var truncated = ParsedFeed.titled("x")
        truncated.isTruncated = true
        #expect(try stage.merge([.numbered(2)], into: podcast, feed: truncated).left == 0)
        #expect(try stage.merge([], into: podcast).left == 0)
        #expect(try stage.merge([.numbered(2)], into: podcast, isComplete: false).left == 0)
        #expect(try stage.titles().count == 2)
    }

    @Test("An episode inside which the document ends is not merged", arguments: [3, 129])
    func cut(count: Int) throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let episodes = (1...count).reversed().map { ParsedEpisode.numbered($0) }
        try stage.merge(episodes.suffix(2), into: podcast)
        var feed = ParsedFeed.titled("Harbour Tales")
        (feed.isTruncated, feed.hasCutEpisode) = (true, true)
        let last = ParsedEpisode.numbered(1, guid: "Episode 1", url: "https://host.example/cut")
        let report = try stage.merge(episodes.dropLast() + [last], into: podcast, feed: feed)
        #expect(report.new.count == count - 2 && report.changed == 0 && report.left == 0)
        #expect(try stage.titles().count == count)
    }

    @Test("A document of thousands of episodes is buffered on disk and merged completely")
    func large() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let episodes = (1...3000).reversed().map { ParsedEpisode.numbered($0) }
        let merge = try FeedMerge(stage.library, podcast: podcast)
        for start in stride(from: 0, to: 3000, by: 7) {
            try merge.add(Array(episodes[start..<min(3000, start + 7)]))
        }
        #expect(try stage.titles().isEmpty)
        let report = try merge.commit(.titled("Long"))
        #expect(report.new.count == 3000)
        #expect(report.new == report.new.sorted(by: >))
        #expect(try stage.titles().first == "Episode 3000")
        #expect(try stage.merge(episodes, into: podcast).unchanged == 3000)
    }

    @Test("Several long documents are merged concurrently in a new process")
    func severalLarge() throws {
        let stage = try LibraryStage()
        let podcasts = try (1...3).map { try stage.subscribe("https://host\($0).example/feed.xml") }
        let other = try stage.another()
        let merges = try podcasts.map { try FeedMerge(other, podcast: $0) }
        for day in 1...300 { for merge in merges { try merge.add([.numbered(day)]) } }
        for merge in merges { #expect(try merge.commit(.titled("x")).new.count == 300) }
    }

    @Test("A merge that the library runs again after an error has all episodes")
    func runAgain() throws {
        let stage = try LibraryStage()
        let merge = try FeedMerge(stage.library, podcast: stage.subscribe())
        try merge.add((1...200).map { .numbered($0) })
        var runs = 0
        let report = try stage.library.write { db in
            runs += 1
            let report = try merge.store(.titled("Harbour Tales"), isComplete: true, db)
            // After this error the library opens another connection.
            if runs == 1 { throw LibraryError(.notWritable, "too many open files") }
            return report
        }
        #expect(runs == 2 && report.new.count == 200)
        #expect(try stage.titles().count == 200)
    }

    @Test("An abandoned document leaves the library unchanged")
    func abandoned() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let merge = try FeedMerge(stage.library, podcast: podcast)
        try merge.add((1...500).map { .numbered($0) })
        merge.abandon()
        #expect(try stage.titles().isEmpty)
    }
}
