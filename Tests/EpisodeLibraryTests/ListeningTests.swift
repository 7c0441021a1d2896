// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("Listening times")
struct ListeningTests {
    private let stage: LibraryStage

    init() throws {
        stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.merge([.numbered(2), .numbered(1)], into: podcast)
        let news = try stage.subscribe("https://host.example/news.xml")
        try stage.merge([.numbered(3)], into: news, feed: .titled("Sea News"))
    }

    private func listen(_ episode: Int64, _ day: Int64, _ heard: Int64, wall: Int64, trimmed: Int64 = 0) throws {
        let time = ListeningTime(heard: heard, wall: wall, trimmed: trimmed)
        try stage.library.savePlayback(
            [], listened: [ListeningRecord(episode: episode, day: ListeningDay(day), time: time)], waiting: 1)
    }

    private func entries(of podcast: Int64? = nil, since day: Int64? = nil) throws -> [String] {
        try stage.library.listeningSums(of: podcast, since: day.map { ListeningDay($0) }).entries.map {
            "\($0.podcast?.name ?? "former") \($0.time.heard) \($0.time.trimmed) \($0.time.sped)"
        }
    }

    @Test("Times are added up by podcast and day")
    func sums() throws {
        try listen(1, 10, 100, wall: 50, trimmed: 20)
        try listen(2, 10, 100, wall: 50)
        try listen(1, 11, 30, wall: 60)
        try listen(3, 11, 5, wall: 5)
        #expect(try entries() == ["Harbour Tales 230 20 50", "Sea News 5 0 0"])
        #expect(try entries(since: 11) == ["Harbour Tales 30 0 -30", "Sea News 5 0 0"])
        #expect(try entries(of: 2) == ["Sea News 5 0 0"])
        #expect(try stage.library.listeningSums().total == ListeningTime(heard: 235, wall: 165, trimmed: 20))
    }

    @Test("Undo does not change the times, and an unknown episode has none")
    func undo() throws {
        try stage.library.mark([1], played: true)
        try listen(1, 10, 100, wall: 100)
        try listen(99, 10, 100, wall: 100)
        _ = try stage.library.undo()
        #expect(try entries() == ["Harbour Tales 100 0 0"])
    }

    @Test("The times of a podcast that was deleted after its time in the trash are kept")
    func former() throws {
        try listen(3, 10, 100, wall: 40, trimmed: 20)
        try listen(1, 10, 7, wall: 7)
        try stage.library.unsubscribe(2)
        #expect(try entries() == ["Sea News 100 20 40", "Harbour Tales 7 0 0"])
        try stage.passDays(.seconds(40 * 86_400))
        try stage.library.emptyTrash()
        #expect(try entries() == ["former 100 20 40", "Harbour Tales 7 0 0"])
    }
}
