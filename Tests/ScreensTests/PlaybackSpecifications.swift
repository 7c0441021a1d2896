// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Screens

@Suite("Playback on the screen")
struct PlaybackSpecifications {
    private func wakes(_ effects: [ScreenEffect]) -> [Duration?] {
        effects.compactMap { if case .wake(let time) = $0 { .some(time) } else { nil } }
    }

    @Test("While playing, the screen wakes once a second", arguments: [1.0, 1.7, 0.5])
    func onceASecond(rate: Double) {
        var stage = Stage(isPlaying: true)
        stage.player?.rate = rate
        stage.send(.player(stage.player))
        var count = 0
        while stage.time < .seconds(20), let wake = stage.screen.wake {
            stage.pass(wake - stage.time)
            count += 1
        }
        #expect((9...22).contains(count))
        #expect(stage.grid.line(20).contains(rate == 1 ? "19:55" : rate == 0.5 ? "19:45" : "20:0"))
    }

    @Test("Enter plays an episode; in the queue, the rest of the queue follows it", arguments: ["1", "3"])
    func enter(pane: String) throws {
        var stage = Stage()
        stage.type(pane)
        let id = try #require(stage.screen.focusedEpisode?.id)
        let effects = stage.effects(of: .key(.enter))
        let request: PlayerRequest = pane == "1" ? .playInQueue(id) : .play(id, from: nil)
        #expect(effects == [.player(request)])
    }

    @Test("A paused player cancels the wake-up, and nothing wakes again")
    func paused() {
        var stage = Stage(isPlaying: true)
        stage.type(" ")
        #expect(wakes(stage.effects).last == .some(nil))
        let count = stage.effects.count
        stage.pass(.seconds(60))
        #expect(stage.effects.count == count)
        #expect(stage.grid.line(20).contains("19:35"))
    }

    @Test("A small screen shows the title and the chapter above the bar")
    func smallTitles() {
        let stage = Stage(columns: 60, rows: 15, isPlaying: true)
        #expect(stage.grid.line(12).hasPrefix("── المطر على الميناء القديم ─"))
        #expect(stage.grid.line(12).hasSuffix("─ The quay (2 of 4) ──"))
    }

    @Test("While playing, the footer still shows the keys of the selected episode, and how to leave")
    func footer() {
        var stage = Stage(isPlaying: true)
        stage.type("3")
        let keys = " enter play  a queue  d download  m played  / filter  : command  u undo  q quit"
        stage.press(.down, .down, .down)
        #expect(stage.grid.line(23).hasPrefix(keys))
        stage.send(.resized(ScreenSize(columns: 110, rows: 24)))
        #expect(stage.grid.line(23).contains("a queue  A next  d download  m played"))
        #expect(stage.grid.line(23).contains("b bookmark  / filter  : command  u undo  q quit"))
    }

    @Test("A lost connection is named at each size", arguments: [(20, 5), (60, 15), (80, 24), (120, 40)])
    func lostConnection(columns: Int, rows: Int) {
        var stage = Stage(columns: columns, rows: rows, isPlaying: true)
        stage.player?.activity = .connectionLost
        stage.send(.player(stage.player))
        #expect(stage.text.contains(columns < 60 ? "lost" : "lost connection"))
    }

    @Test("Without a clock, the screen never wakes")
    func noClock() {
        var options = ScreenOptions(today: LocalDay(year: 2026, month: 1, day: 1))
        options.hasClock = false
        var screen = Screen(options)
        var state = PlayerState(.playing, item: .init(episode: 1, title: "One"), position: .seconds(5))
        state.rate = 1
        #expect(wakes(screen.handle(.player(state))) == [])
        _ = screen.handle(.clock(.seconds(30)))
        #expect(screen.position == .seconds(5))
    }

    @Test("Each second changes few cells")
    func fewCells() {
        var stage = Stage(columns: 120, rows: 40, isPlaying: true)
        let before = stage.grid
        stage.pass(.seconds(1))
        let after = stage.grid
        #expect(zip(before.cells, after.cells).count { $0 != $1 } <= 4)
    }

    @Test("Chapters that may be those of another version are marked, of the feed and of the player")
    func approximateChapters() {
        var library = SimulatedLibrary.sample
        library.details.areChaptersApproximate = true
        var stage = Stage(library, columns: 120, rows: 40, isPlaying: true)
        stage.type("6")
        #expect(stage.text.contains("~4:10") && stage.text.contains("~21:35"))
        stage.player?.take([Chapter(start: .seconds(30), title: "Fog")], areApproximate: false)
        stage.send(.player(stage.player))
        #expect(stage.text.contains(" 0:30") && !stage.text.contains("~0:30") && !stage.text.contains("~4:10"))
        stage.player?.take([Chapter(start: .seconds(30), title: "Fog")], areApproximate: true)
        stage.send(.player(stage.player))
        #expect(stage.text.contains("~0:30"))
        stage.type("o")
        #expect(stage.text.contains("~4:10 The quay"))
    }

    @Test(
        "Between two chapters and after the last one, the screen names none",
        arguments: [
            (.seconds(999), 0), (.seconds(1000), nil), (.seconds(1299), nil), (.microseconds(1_299_999_989), 1),
            (.seconds(1499), 1), (.seconds(1500), nil),
        ] as [(Duration, Int?)])
    func betweenChapters(position: Duration, index: Int?) {
        let chapters = [
            Chapter(start: .zero, end: .seconds(1000), title: "Fog"),
            Chapter(start: .seconds(1300), end: .seconds(1500), title: "Rain"),
        ]
        var stage = Stage(columns: 60, rows: 15, isPlaying: true)
        stage.player?.take(chapters, areApproximate: false)
        stage.player?.position = position
        stage.send(.player(stage.player))
        #expect(stage.screen.currentChapter == index)
        #expect(stage.grid.line(12).contains(" of 2)") == (index != nil))
        stage.type("6")
        #expect(stage.screen.chapterCursor.index == (position < .seconds(1299.5) ? 0 : 1))
    }

    @Test("The bar shows played, stored and missing parts, and chapters as ticks")
    func bar() {
        let stage = Stage(isPlaying: true)
        let bar = stage.grid.line(20).prefix { $0 != "1" }
        for character in "━●|─" { #expect(bar.contains(character), "\(character)") }
    }

    @Test(
        "Keys control playback",
        arguments: [
            ("+", PlayerRequest.volume(by: 5)), ("-", .volume(by: -5)), ("]", .speed("+0.05")), ("z", .cycleSleep),
            (">", .next), ("<", .previous), ("c", .seek(to: .seconds(1295))), ("C", .seek(to: .seconds(250))),
            ("e", .cycleRepeat),
        ])
    func keys(key: String, request: PlayerRequest) {
        var stage = Stage(isPlaying: true)
        stage.type(key)
        #expect(stage.effects.contains(.player(request)))
    }

    @Test("Arrows seek by 10 seconds back and 30 seconds forward")
    func arrows() {
        var stage = Stage(isPlaying: true)
        stage.press(.left, .right)
        #expect(stage.effects.contains(.player(.skip(by: .seconds(-10)))))
        #expect(stage.effects.contains(.player(.skip(by: .seconds(30)))))
    }

    @Test("The player sets a bookmark, because it knows the exact position; a file has none")
    func bookmark() {
        var stage = Stage(isPlaying: true)
        stage.type("b")
        #expect(stage.effects.contains(.player(.bookmark)))
        stage.player?.item?.episode = nil
        stage.send(.player(stage.player))
        #expect(!stage.screen.isValid(.bookmark))
    }

    @Test("\"q\" leaves with a sentence, and nothing follows")
    func quit() {
        var stage = Stage(isPlaying: true)
        stage.type("1q")
        guard case .quit(let sentence) = stage.effects.last else {
            Issue.record("the last effect is not quit")
            return
        }
        #expect(sentence.hasSuffix("continues to play; \"earshot stop\" ends it."))
        #expect(stage.screen.farewell == sentence)
        #expect(stage.effects(of: .libraryChanged) == [])
    }

    @Test("\"Q\" stops playback")
    func stop() {
        var stage = Stage(isPlaying: true)
        stage.type("Q")
        #expect(stage.effects.last == .stopAndQuit)
    }

    @Test("\"r\" is valid only after a lost connection or device")
    func retry() {
        var stage = Stage(isPlaying: true)
        #expect(!stage.screen.isValid(.retry))
        stage.player?.activity = .connectionLost
        stage.send(.player(stage.player))
        #expect(FooterKeys(stage.screen).entries.first?.action == .retry)
        stage.type("r")
        #expect(stage.effects.contains(.player(.retry)))
    }
}
