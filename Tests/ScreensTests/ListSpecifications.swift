// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Screens

@Suite("Lists of the screen")
struct ListSpecifications {
    @Test("The selection stays on its episode when a refresh adds episodes before it")
    func survivesRefresh() {
        var stage = Stage()
        stage.type("3" + String(repeating: "j", count: 20))
        let (id, row) = (stage.screen.focusedEpisode?.id, stage.grid.cursor.row)
        stage.library.episodes.insert(contentsOf: (1...5).map { EpisodeRow(id: Int64($0), title: "New \($0)") }, at: 0)
        stage.send(.libraryChanged)
        #expect(stage.screen.focusedEpisode?.id == id)
        #expect(stage.screen.lists[.new]?.cursor.index == 25)
        #expect(stage.grid.cursor.row == row)
    }

    @Test("New episodes appear above the selection when the beginning of the list is visible")
    func newAbove() {
        var stage = Stage()
        stage.type("3")
        stage.library.episodes.insert(EpisodeRow(id: 1, title: "Fresh"), at: 0)
        stage.send(.libraryChanged)
        #expect(stage.grid.line(2).contains("Fresh"))
        #expect(stage.screen.focusedEpisode?.id == 10)
    }

    @Test(
        "An empty library says how to subscribe, whole and with the listener's key",
        arguments: [(80, 24), (60, 15), (200, 60)])
    func emptyLibrary(columns: Int, rows: Int) {
        var options = ScreenOptions(today: LocalDay(year: 2026, month: 11, day: 23))
        options.keys = KeyMap.parse("S subscribe\ns none").keys
        var stage = Stage(SimulatedLibrary(), columns: columns, rows: rows, options: options)
        let words = stage.text.split { " \n│".contains($0) }.joined(separator: " ")
        #expect(words.contains("No podcasts yet; S subscribes to a podcast by its URL or its"))
        #expect(stage.grid.line(rows - 1).hasPrefix(" S subscribe"))
        stage.type("3")
        #expect(stage.grid.line(2).contains("No podcasts yet; S subscribes"))
    }

    @Test("The selection stays on its episode when the size changes", arguments: [(20, 5), (60, 15), (200, 60)])
    func survivesResize(columns: Int, rows: Int) {
        var stage = Stage()
        stage.type("3" + String(repeating: "j", count: 20))
        let id = stage.screen.focusedEpisode?.id
        stage.send(.resized(ScreenSize(columns: columns, rows: rows)))
        #expect(stage.screen.focusedEpisode?.id == id)
        #expect(stage.grid[stage.grid.cursor.row, 0].character == ">")
    }

    @Test("When the selected episode disappears, the selection stays at its place")
    func disappears() {
        var stage = Stage()
        stage.type("1jx")
        #expect(stage.library.queue == [12, 15])
        #expect(stage.screen.focusedEpisode?.id == 15)
    }

    @Test("A filter selects while typing, and Esc restores the place")
    func filter() {
        var stage = Stage()
        stage.type("3" + String(repeating: "j", count: 7))
        let id = stage.screen.focusedEpisode?.id
        stage.type("/fog")
        #expect(stage.screen.lists[.new]?.rows.allSatisfy { $0.title.contains("Fog") } == true)
        stage.press(.escape)
        #expect(stage.screen.focusedEpisode?.id == id)
        #expect(stage.screen.activeFilter == "")
    }

    @Test("Enter keeps a filter until Esc")
    func keptFilter() {
        var stage = Stage()
        stage.type("3/fog")
        stage.press(.enter)
        #expect(stage.screen.typing == nil && stage.screen.activeFilter == "fog")
        stage.press(.escape)
        #expect(stage.screen.activeFilter == "")
    }

    @Test("An answer to an outdated query changes nothing")
    func outdated() {
        var stage = Stage()
        stage.type("3")
        let before = stage.text
        let query = LibraryQuery.episodes(EpisodeList(.new, filter: "old"), .index(0), count: 200)
        stage.send(.answer(query, .episodes(EpisodePage([], total: 0))))
        #expect(stage.text == before)
    }

    @Test("A library of 250,000 episodes shows its first frame after a few hundred rows, and its end as well")
    func large() {
        var stage = Stage(.large(250_000))
        #expect(stage.library.returnedRows <= 500)
        stage.press(.enter)
        stage.type("G")
        #expect(stage.screen.focusedEpisode?.id == 250_000)
        #expect(stage.text.contains("Episode 249999"))
        #expect(stage.library.returnedRows <= 1500)
        #expect((stage.screen.lists[.episodes]?.rows.count ?? 0) <= 200)
    }

    @Test("Rows that are not loaded are blank, and keys still move")
    func notLoaded() {
        var screen = Screen(ScreenOptions(today: LocalDay(year: 2026, month: 11, day: 23)))
        _ = screen.handle(.resized(ScreenSize(columns: 80, rows: 24)))
        _ = screen.handle(.answer(.podcasts, .podcasts([])))
        let first = LibraryQuery.episodes(EpisodeList(.all), .top, count: 200)
        let rows = (1...200).map { EpisodeRow(id: $0, title: "One") }
        let counting = screen.handle(.answer(first, .episodes(EpisodePage(rows, total: 200))))
        let query = LibraryQuery.episodes(EpisodeList(.all), .index(0), count: 200)
        #expect(counting.contains(.load(query)))
        _ = screen.handle(.answer(query, .episodes(EpisodePage([EpisodeRow(id: 1, title: "One")], total: 1000))))
        _ = screen.handle(.key(.enter))
        let effects = screen.handle(.key(.character("G")))
        #expect(
            effects.contains { if case .load(.episodes(_, .index(let index), _)) = $0 { index > 800 } else { false } })
        #expect(screen.lists[.episodes]?.cursor.index == 999)
    }

    @Test("Groups close and open, and keep the selection")
    func groups() {
        var stage = Stage()
        let group = stage.screen.podcasts.lines.firstIndex { if case .group(["Sea"], _) = $0 { true } else { false } }
        stage.screen.podcasts.move(to: group ?? 0)
        let count = stage.screen.podcasts.lines.count
        stage.press(.enter)
        #expect(stage.screen.podcasts.lines.count == count - 3)
        stage.press(.enter)
        #expect(stage.screen.podcasts.lines.count == count)
        #expect(stage.screen.podcasts.selected.id == .group(["Sea"]))
    }

    @Test(
        "An empty list says what to do",
        arguments: [("1", "The queue is empty"), ("3", "No unplayed"), ("4", "No downloads")])
    func empty(key: String, text: String) {
        var library = SimulatedLibrary()
        library.podcasts = [PodcastRow(id: 1, title: "Harbour Tales")]
        var stage = Stage(library)
        stage.type(key)
        #expect(stage.text.contains(text))
    }
}
