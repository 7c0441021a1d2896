// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

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
}
