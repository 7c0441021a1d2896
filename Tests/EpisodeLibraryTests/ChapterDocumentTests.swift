// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Media
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("Documents of chapters")
struct ChapterDocumentTests {
    private let stage: LibraryStage
    private let podcast: Int64

    init() throws {
        stage = try LibraryStage()
        podcast = try stage.subscribe()
        let episodes = (1...8).reversed().map { day in
            var episode = ParsedEpisode.numbered(day)
            episode.chaptersURL = "https://host.example/\(day).json"
            return episode
        }
        try stage.merge(episodes, into: podcast)
    }

    private func due() throws -> [String] {
        try stage.library.dueChapterDocuments(of: [podcast], limit: 50).map { $0.url.split(separator: "/").last! }
            .map(String.init)
    }

    @Test("Those of the newest five episodes of a podcast are fetched, however old they are, and of older ones in use")
    func newest() throws {
        stage.pass(.seconds(400 * 86_400))
        #expect(try due() == ["8.json", "7.json", "6.json", "5.json", "4.json"])
        let second = try stage.library.episode(named: "Episode 2").id
        try stage.library.finish(second, heard: .zero ..< .seconds(60))
        #expect(try due() == ["8.json", "7.json", "6.json", "5.json", "4.json", "2.json"])
    }

    @Test("Only documents of the given podcasts are fetched, and no more than the limit")
    func chosen() throws {
        let other = try stage.subscribe("https://other.example/feed.xml")
        var episode = ParsedEpisode.numbered(9, guid: "other")
        episode.chaptersURL = "https://other.example/9.json"
        try stage.merge([episode], into: other, feed: .titled("Tidewater"))
        #expect(try due().count == 5)
        #expect(
            try stage.library.dueChapterDocuments(of: [other], limit: 50).map(\.url)
                == ["https://other.example/9.json"])
        #expect(
            try stage.library.dueChapterDocuments(of: [podcast, other], limit: 2).map(\.podcast) == [other, podcast])
        #expect(try stage.library.dueChapterDocuments(of: [], limit: 50) == [])
    }

    @Test("The query reads neither all documents nor all episodes of a library")
    func plan() throws {
        let steps = try stage.library.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(Library.dueChapterDocumentsQuery)",
                arguments: [
                    "podcasts": "[1]", "yesterday": 1, "now": 1, "changing": 1, "wanted": 1, "limit": 50,
                ]
            ).map { try $0["detail"] as String }
        }
        #expect(steps.contains { $0.hasPrefix("SEARCH document ") }, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN document") || $0.hasPrefix("SCAN episode") }, "\(steps)")
    }
}
