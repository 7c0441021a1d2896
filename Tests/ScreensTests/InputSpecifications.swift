// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Screens

@Suite("Keys, mouse and messages of the screen")
struct InputSpecifications {
    @Test("A failed command is a sentence in the footer and in the list of errors, until the next key")
    func failure() {
        var stage = Stage()
        stage.type(":fail")
        stage.press(.enter)
        #expect(stage.grid.line(23).contains("the server is away"))
        stage.type("8")
        #expect(!stage.grid.line(23).contains("the server is away"))
        #expect(stage.grid.line(2).contains("the server is away"))
    }

    @Test("A command with a wrong argument is one error, without the lines that explain its usage")
    func usageError() {
        var stage = Stage()
        stage.type(":fail")
        _ = stage.effects(of: .key(.enter))
        let errors = ["Error: The volume is 0 to 150.", "Usage: earshot volume LEVEL", "  See 'earshot volume --help'."]
        stage.send(.command(1, .ended(status: 64, output: [], errors: errors)))
        #expect(stage.screen.errors.sentences == ["The volume is 0 to 150."])
    }

    @Test("A podcast whose refresh fails is a sentence in the footer and in the list of errors")
    func partialRefresh() {
        var stage = Stage()
        _ = stage.effects(of: .key(.character("R")))
        let errors = ["Sea News: the server answered 404 Not Found", "Fog: the connection timed out"]
        stage.send(.command(1, .ended(status: 0, output: ["2 new episodes in 1 podcast."], errors: errors)))
        #expect(stage.grid.line(23).contains("2 new episodes in 1 podcast. Sea News: the server answered 404 Not Fo"))
        stage.type("8")
        #expect(stage.grid.line(0).contains("8 Errors 2"))
        #expect(stage.grid.line(2).contains(errors[0]) && stage.grid.line(3).contains(errors[1]))
    }

    @Test("The footer shortens the subject of an error, so that its reason is visible")
    func longSubject() {
        var stage = Stage()
        let address = "https://example.org/" + String(repeating: "directory/", count: 30) + "1.mp3"
        for subject in [address, String(repeating: "A long title: ", count: 20)] {
            stage.send(.failure(subject + ": the server answered 404 Not Found"))
            #expect(stage.grid.line(23).contains("…: the server answered 404 Not Found"))
            #expect(stage.grid.line(23).contains(subject.prefix(20)))
        }
    }

    @Test("\"u\" undoes, and the footer says what")
    func undo() {
        var stage = Stage()
        stage.type("3mu")
        #expect(stage.library.undone == 1)
        #expect(stage.grid.line(23).contains("Undone: marked as played."))
    }

    @Test("\"m\" shows the change before the command ends")
    func optimistic() {
        var stage = Stage()
        stage.type("3")
        _ = stage.effects(of: .key(.character("m")))
        #expect(stage.screen.focusedEpisode?.progress == .played)
    }

    @Test("A command that still runs is not started again")
    func twice() {
        var stage = Stage()
        let first = stage.effects(of: .key(.character("R")))
        let second = stage.effects(of: .key(.character("R")))
        #expect(first == [.run(CommandRun(id: 1, arguments: ["refresh"]))])
        #expect(second == [])
        #expect(stage.grid.line(23).contains("still running"))
    }

    @Test("Changes run one after the other, and leaving waits for the last one")
    func order() {
        var stage = Stage()
        stage.type("3")
        let done = CommandState.ended(status: 0, output: [], errors: [])
        #expect(Self.runs(stage.effects(of: .key(.character("m")))) == [["mark", "played", "10"]])
        _ = stage.effects(of: .key(.down))
        #expect(Self.runs(stage.effects(of: .key(.character("m")))) == [])
        #expect(stage.effects(of: .key(.character("q"))) == [])
        #expect(Self.runs(stage.effects(of: .command(1, done))) == [["mark", "played", "11"]])
        #expect(stage.effects(of: .command(2, done)) == [.quit("")])
    }

    private static func runs(_ effects: [ScreenEffect]) -> [[String]] {
        effects.compactMap { if case .run(let run) = $0 { run.arguments } else { nil } }
    }

    @Test("A second \"q\" does not wait for a change that does not end")
    func leavesAnyway() {
        var stage = Stage()
        stage.type("3")
        _ = stage.effects(of: .key(.character("m")))
        #expect(stage.effects(of: .key(.character("q"))) == [])
        #expect(stage.grid.line(23).contains("being saved"))
        #expect(stage.effects(of: .key(.character("q"))) == [.quit("")])
    }

    @Test("The queue shows each move and removal before its command ends")
    func reorders() {
        var stage = Stage()
        stage.type("1")
        #expect(Self.runs(stage.effects(of: .key(.character("J")))) == [["queue", "move", "12", "2"]])
        _ = stage.effects(of: .key(.character("J")))
        #expect(stage.screen.lists[.queue]?.rows.map(\.id) == [13, 15, 12])
        _ = stage.effects(of: .libraryChanged)
        _ = stage.effects(of: .key(.character("x")))
        #expect(stage.screen.lists[.queue]?.rows.map(\.id) == [13, 15])
        #expect(stage.screen.focusedEpisode?.id == 15)
        let done = CommandState.ended(status: 0, output: [], errors: [])
        #expect(Self.runs(stage.effects(of: .command(1, done))) == [["queue", "move", "12", "3"]])
        #expect(Self.runs(stage.effects(of: .command(2, done))) == [["queue", "remove", "12"]])
    }

    @Test("A narrow screen shows the tabs without gaps, and an error always has its tab at 80 columns")
    func tabs() {
        var stage = Stage(columns: 60, rows: 15)
        #expect(stage.grid.line(0).contains("1 Queue  2 Podcasts  3 New  4 Downloads  5 Find"))
        stage.send(.resized(ScreenSize(columns: 80, rows: 24)))
        stage.send(.failure("The server closed the connection."))
        #expect(stage.grid.line(0).contains("5 Find") && stage.grid.line(0).contains("8 Errors 1"))
    }

    @Test("The progress of a command is in the first row")
    func progress() {
        var stage = Stage(columns: 120, rows: 40)
        _ = stage.effects(of: .key(.character("R")))
        _ = stage.effects(of: .command(1, .progress("4 of 21 feeds")))
        #expect(stage.grid.line(0).contains("refresh: 4 of 21 feeds"))
    }

    @Test("The help lists valid keys first, searches, and runs a row")
    func help() {
        var stage = Stage()
        stage.type("3?mark the ep")
        #expect(stage.grid.line(2).contains("Mark the episode as played"))
        stage.press(.enter)
        #expect(stage.screen.help == nil)
        #expect(stage.effects.contains { if case .run(let run) = $0 { run.arguments[0] == "mark" } else { false } })
    }

    @Test(
        "A key without a use says why",
        arguments: [
            ("8d", "No episode is selected."), ("3d", "The episode is already downloaded."),
            ("1a", "The episode is already in the queue."), ("1K", "The episode is the first one in the queue."),
            ("1GJ", "The episode is the last one in the queue."), ("3J", "Only episodes of the queue can be moved."),
            ("3od", "Close the text first."), ("3r", "No connection was lost."), ("3>", "Nothing is playing."),
        ])
    func useless(keys: String, reason: String) {
        var stage = Stage()
        stage.type(keys)
        #expect(stage.screen.message?.text == reason)
        #expect(stage.grid.line(23).contains(reason))
    }

    @Test("An episode of the queue is not offered for it, in no list")
    func queued() {
        var stage = Stage()
        for keys in ["1", "3jj"] {
            stage.type(keys)
            #expect(stage.screen.focusedEpisode?.isQueued == true)
            #expect(!stage.screen.isValid(.queue) && stage.screen.isValid(.queueNext))
        }
    }

    @Test("Each key of the footer is valid and does something", arguments: GoldenScreenTests.View.allCases)
    func footer(view: GoldenScreenTests.View) {
        let stage = GoldenScreenTests.stage(view, ScreenSize(columns: 200, rows: 60))
        guard stage.screen.typing == nil, stage.screen.help == nil else { return }
        for entry in FooterKeys(stage.screen).entries {
            guard let key = stage.screen.keys.key(entry.action) else { continue }
            var copy = stage
            let before = copy.grid
            let effects = copy.effects(of: .key(key))
            #expect(!effects.isEmpty || copy.grid != before, "\(entry.key) \(entry.word)")
            #expect(stage.screen.refusal(of: entry.action) == nil)
        }
    }

    @Test("A click selects a row, a double click plays it, and the wheel scrolls")
    func mouse() {
        var stage = Stage()
        stage.type("3")
        let place = CellPlace(row: 4, column: 20)
        stage.send(.mouse(MouseInput(.press, at: place)))
        #expect(stage.screen.lists[.new]?.cursor.index == 2)
        stage.send(.mouse(MouseInput(.doublePress, at: place)))
        #expect(stage.player?.item?.episode == stage.screen.focusedEpisode?.id)
        stage.send(.mouse(MouseInput(.wheelDown, at: place)))
        #expect(stage.screen.lists[.new]?.cursor.index == 5)
    }

    @Test("A click on a tab shows its view, and a click on the bar seeks")
    func clicks() {
        var stage = Stage(isPlaying: true)
        let column = Array(stage.grid.line(0)).firstIndex(of: "N") ?? 0
        stage.send(.mouse(MouseInput(.press, at: CellPlace(row: 0, column: column))))
        #expect(stage.screen.tab == .new)
        stage.send(.mouse(MouseInput(.press, at: CellPlace(row: 20, column: 3))))
        #expect(
            stage.effects.contains { if case .player(.seek(to: let time)) = $0 { time < .seconds(60) } else { false } })
    }

    @Test("A pasted address is offered to subscribe to")
    func paste() {
        var stage = Stage()
        stage.send(.paste("https://example.org/feed.xml\nrm -rf"))
        stage.press(.enter)
        let run = CommandRun(id: 1, arguments: ["subscribe", "https://example.org/feed.xml"])
        #expect(stage.effects.contains(.run(run)))
    }

    @Test("A reader finds words, and n and N go to the matches")
    func search() {
        var stage = Stage()
        stage.type("3t/line 3")
        stage.press(.enter)
        #expect(stage.screen.reader?.lines[stage.screen.reader?.top ?? 0].text.contains("Line 3 ") == true)
        stage.type("n")
        #expect(stage.screen.reader?.lines[stage.screen.reader?.top ?? 0].text.contains("Line 13") == true)
    }

    @Test("Enter in a transcript plays from its time")
    func transcript() {
        var stage = Stage(isPlaying: true)
        stage.type("6tjj")
        stage.press(.enter)
        #expect(stage.effects.contains(.player(.seek(to: .seconds(1260)))))
    }

    @Test("A transcript that is not stored is an error with the command that fetches it")
    func noTranscript() {
        var stage = Stage()
        stage.library.transcript = []
        stage.type("3t")
        #expect(stage.screen.reader == nil)
        #expect(stage.screen.errors.sentences.first?.contains(":transcript 10") == true)
    }

    @Test("Enter changes an option of the screen, and saves it")
    func option() {
        var stage = Stage(isPlaying: true)
        stage.type("7/tui.clock")
        stage.press(.enter, .enter)
        #expect(stage.effects.contains(.save(.clock(false))))
        #expect(stage.screen.wake == nil)
    }

    @Test("Enter on a setting offers the command that changes it")
    func setting() {
        var stage = Stage()
        stage.type("7")
        stage.press(.enter)
        #expect(stage.screen.typing?.editor.text == "settings set auto-download ")
    }

    @Test("Ctrl-Z suspends, and Ctrl-L repaints")
    func controls() {
        var stage = Stage()
        stage.press(.control("z"), .control("l"))
        #expect(stage.effects.suffix(2) == [.suspend, .repaint])
    }
}
