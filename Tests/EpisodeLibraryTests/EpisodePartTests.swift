// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Testing

@testable import EpisodeLibrary

@Suite("Parts of long lists")
struct EpisodePartTests {
    private let stage: LibraryStage
    private let tales: Int64

    init() throws {
        stage = try LibraryStage()
        tales = try stage.subscribe()
        try stage.merge((1...9).map { .numbered($0, title: $0 == 4 ? "Äther 50%" : "Tide \($0)") }, into: tales)
        let news = try stage.subscribe("https://host.example/news.xml")
        try stage.merge([.numbered(20, title: "Whales")], into: news, feed: .titled("Sea News"))
    }

    private func names(_ part: EpisodePart) -> [String] { part.episodes.map { String($0.name.suffix(1)) } }

    @Test("A part starts at an index, and the part after the end is the last one")
    func parts() throws {
        let library = stage.library
        let part = try library.part(of: .podcast(tales), from: 2, count: 3)
        #expect(names(part) == ["7", "6", "5"] && part.start == 2 && part.total == 9)
        let end = try library.part(of: .podcast(tales), from: 100, count: 3)
        #expect(names(end) == ["3", "2", "1"] && end.start == 6)
        let all = try library.part(of: .all, from: 0, count: 2)
        #expect(all.episodes.map(\.name) == ["Whales", "Tide 9"] && all.total == 10)
        #expect(try library.part(of: .queue, from: 0, count: 5) == EpisodePart.empty)
    }

    @Test("A part that is not counted has the same episodes")
    func uncounted() throws {
        let counted = try stage.library.part(of: .all, from: 0, count: 3)
        let part = try stage.library.part(of: .all, from: 0, count: 3, isCounted: false)
        #expect(part.episodes == counted.episodes && part.start == 0 && part.total == 3)
    }

    @Test("A part stands around an episode, unless the list lacks it")
    func around() throws {
        let library = stage.library
        let fifth = try #require(try library.part(of: .all, from: 5, count: 1).episodes.first)
        let part = try library.part(of: .all, from: 0, around: fifth.id, count: 4)
        #expect(part.start == 3 && part.episodes.map(\.id).contains(fifth.id))
        #expect(try library.part(of: .queue, from: 0, around: fifth.id, count: 4).total == 0)
        #expect(try library.part(of: .all, from: 1, around: 999_999, count: 4).start == 1)
    }

    @Test(
        "Words filter titles and podcasts in any case, without patterns",
        arguments: [
            ("äther", 1), ("ÄTHER", 1), ("50%", 1), ("5_%", 0), ("tide", 8), ("TIDE 7", 1), ("sea", 1),
            ("harbour 3", 1),
            ("", 10),
        ])
    func words(text: String, count: Int) throws {
        #expect(try stage.library.part(of: .all, containing: text, from: 0, count: 50).total == count)
    }

    @Test("Counts agree with the lists")
    func counts() throws {
        let library = stage.library
        let all = try library.part(of: .all, from: 0, count: 50).episodes.map(\.id)
        try library.mark([all[1]], played: true)
        try library.enqueue([all[3], all[2]])
        try library.requestDownload(all[4], by: .listener)
        // Two episodes leave the feed; the queued one stays in the list.
        try stage.merge([1, 2, 3, 5, 9].map { .numbered($0, title: "Tide \($0)") }, into: tales)
        for source in [EpisodePart.Source.all, .unplayed, .queue, .downloads, .podcast(tales)] {
            let part = try library.part(of: source, from: 0, count: 50)
            #expect(part.total == part.episodes.count, "\(source)")
        }
        let unplayed = try library.part(of: .unplayed, from: 0, count: 50)
        #expect(try library.shownCounts() == (unplayed.total, 1))
        #expect(try library.part(of: .queue, from: 0, count: 9).episodes.map(\.id) == [all[3], all[2]])
    }
}

extension EpisodePart {
    fileprivate static let empty = EpisodePart(episodes: [], start: 0, total: 0)
}
