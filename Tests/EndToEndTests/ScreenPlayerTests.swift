// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Glibc
import Testing

@Suite("The player of the full-screen interface in a terminal")
struct ScreenPlayerTests {
    private let run: ScreenRun

    init() throws { run = try ScreenRun() }

    @Test("Without a player, the first play starts one, which continues after the screen")
    func starts() throws {
        let screen = try run.start(command: "tui --output null")
        #expect(screen.wait { $0.contains("The storm") })
        try screen.press(":")
        try screen.type("play " + (1...6).map { DemoEpisodes.path($0) }.joined(separator: " "))
        #expect(screen.wait { _ in run.status() == "playing" }, "\(screen.rows)")
        // The screen learns the state a moment later.
        #expect(screen.wait { $0.contains("\n ▶ ") }, "\(screen.rows)")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen && $0.contains("\"earshot stop\" ends it") }, "\(screen.rows)")
        #expect(!run.status().isEmpty)
        kill(try #require(run.owner), SIGTERM)
        #expect(screen.wait { _ in run.status().isEmpty })
    }

    @Test("In the mode of lines, `play` starts a player also if the input ends directly after it")
    func lastLine() throws {
        let lines = try run.earshot.start(
            ["tui", "--lines", "--output", "null"], environment: run.environment, keepsInput: true,
            limit: TimeLimit.event)
        lines.write("play " + (1...6).map { DemoEpisodes.path($0) }.joined(separator: " ") + "\n")
        lines.closeInput()
        #expect(lines.wait().status == 0)
        let state = run.status()
        #expect(["loading", "buffering", "playing"].contains(state), "\(state)")
        kill(try #require(run.owner), SIGTERM)
    }

    @Test("In the mode of lines, `quit` says that it waits for the answer to `play`, and Ctrl-C ends the wait")
    func waitingQuit() throws {
        let server = try FaultServer(["/slow": [FaultScript().with { $0.latency = .seconds(3600) }]])
        let screen = try run.start(command: "tui --lines --output null")
        #expect(screen.wait { $0.contains("Type a command") })
        try screen.type("play \(server.url("/slow"))")
        #expect(screen.wait { _ in !server.requests(for: "/slow").isEmpty })
        try screen.type("quit")
        #expect(screen.wait { $0.contains("Waiting for the player; Ctrl-C leaves.") }, "\(screen.rows)")
        try screen.press("C-c")
        #expect(screen.wait { _ in screen.child == nil })
        kill(try #require(run.owner), SIGTERM)
    }

    @Test("The command to play accepts options, and wrong ones are reported")
    func options() throws {
        let screen = try run.start(command: "tui --output null")
        #expect(screen.wait { $0.contains("The storm") })
        try screen.press(":")
        try screen.type("play \(DemoEpisodes.path(1)) --from 0:06 --until 0:12 --speed 0.5 --repeat all")
        #expect(screen.wait { _ in run.status("{repeat}") == "all" }, "\(screen.rows)")
        #expect(screen.wait { _ in run.status("{speed}") == "0.5" })
        #expect(screen.wait { $0.contains("0:07") }, "\(screen.rows)")
        try screen.press(":")
        try screen.type("play 1 --speed 9")
        #expect(screen.wait { $0.contains("--speed") && $0.contains("invalid") }, "\(screen.rows)")
        try screen.press("Q")
        #expect(screen.wait { !screen.isFullScreen })
        kill(try #require(run.owner), SIGTERM)
    }

    @Test("A space that is typed before the screen knows the player pauses it")
    func earlySpace() throws {
        let play = try run.startPlaying()
        #expect(play.wait { _ in run.status() == "playing" })
        let screen = try run.start()
        try screen.press("Space")
        #expect(screen.wait { _ in run.status() == "paused" }, "\(screen.rows)")
        try screen.press("Q")
        #expect(screen.wait { !screen.isFullScreen })
        #expect(play.wait().status == 0)
    }

    @Test("A space before the player has its item leaves that paused")
    func spaceBeforeItem() throws {
        let (server, isTyped) = (try FaultServer(), Gate())
        server.handle("/slow") { _, _ in
            isTyped.pass()
            return DemoEpisodes.episode(1)
        }
        let play = try run.startPlaying(server.url("/slow"))
        #expect(play.wait { _ in run.status("{repeat}") == "one" })
        let screen = try run.start()
        #expect(screen.wait { screen.isFullScreen && $0.contains("The storm") })
        try screen.press("Space")
        // The player executes the space before the command.
        try screen.press(":")
        try screen.type("volume 50")
        #expect(screen.wait { _ in run.status("{volume}") == "50" }, "\(screen.rows)")
        isTyped.open()
        #expect(screen.wait { _ in run.status() == "paused" }, "\(screen.rows)")
        try screen.press("Q")
        #expect(screen.wait { !screen.isFullScreen })
        #expect(play.wait().status == 0)
    }

    @Test("Changes that are typed before the rows appear run in their order, and leaving waits for them")
    func quickChanges() throws {
        let screen = try run.start()
        #expect(screen.wait { screen.isFullScreen && $0.contains("The storm") })
        let episodes = try run.stage.library.part(of: .unplayed, from: 0, count: 3).episodes.map(\.id)
        try screen.press("3", "g", "a", "j", "a", "j", "a", "q")
        #expect(screen.wait { !screen.isFullScreen })
        #expect(try run.stage.library.queue().map(\.id) == episodes)
    }

    @Test("Each key of playback changes the player")
    func keys() throws {
        let play = try run.startPlaying()
        #expect(play.wait { _ in run.status() == "playing" })
        let screen = try run.start()
        #expect(screen.wait { screen.isFullScreen && $0.contains("The storm") })
        try screen.press("Space", expecting: "paused") { run.status("{state}") }
        try screen.press("+", expecting: "105") { run.status("{volume}") }
        try screen.press("-", expecting: "100") { run.status("{volume}") }
        try screen.press("]", expecting: "1.05") { run.status("{speed}") }
        try screen.press("\\", expecting: "1.0") { run.status("{speed}") }
        try screen.press("[", expecting: "0.95") { run.status("{speed}") }
        try screen.press("e", expecting: "all") { run.status("{repeat}") }
        try screen.press("e", expecting: "off") { run.status("{repeat}") }
        // Two presses in one read are two steps.
        try screen.press("e", "e")
        #expect(screen.wait { _ in run.status("{repeat}") == "all" }, "\(screen.rows)")
        try screen.press("e", expecting: "off") { run.status("{repeat}") }
        // A press goes back ten seconds, and the episode is longer.
        try screen.press("Left")
        try screen.press("Left", expecting: "0:00") { run.status("{position}") }
        try screen.press(">")
        #expect(screen.wait { $0.contains("There is no next item.") }, "\(screen.rows)")
        for key in ["<", "z", "c", "C", "r"] { try screen.press(key) }
        try screen.press("Space", expecting: "playing") { run.status("{state}") }
        try screen.press("Q")
        #expect(screen.wait { !screen.isFullScreen })
        #expect(play.wait().status == 0)
    }

    @Test("The screen shows the speed and the sleep timer that another control chooses")
    func otherControl() throws {
        let play = try run.startPlaying()
        #expect(play.wait { _ in run.status() == "playing" })
        let screen = try run.start(columns: 100)
        #expect(screen.wait { screen.isFullScreen && $0.contains("repeat one") }, "\(screen.rows)")
        play.write("pause\n")
        #expect(play.wait { _ in run.status() == "paused" })
        for (line, text) in [
            ("speed 1.5", "1.50x"), ("sleep episode", "sleep after this episode"), ("sleep 90m", "sleep 1:"),
        ] {
            play.write(line + "\n")
            #expect(screen.wait { $0.contains(text) }, "\(screen.rows)")
        }
        play.write("sleep off\n")
        #expect(screen.wait { $0.contains("1.50x") && !$0.contains("sleep 1:") }, "\(screen.rows)")
        try screen.press("Q")
        #expect(screen.wait { !screen.isFullScreen })
        #expect(play.wait().status == 0)
    }

    @Test("When the player is killed, the screen shows that nothing plays")
    func lost() throws {
        let play = try run.startPlaying()
        #expect(play.wait { _ in run.status() == "playing" })
        let screen = try run.start()
        #expect(screen.wait { screen.isFullScreen && $0.contains(" ▶ ") }, "\(screen.rows)")
        play.signal(SIGKILL)
        _ = play.wait()
        #expect(screen.wait { !$0.contains(" ▶ ") }, "\(screen.rows)")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen })
    }
}
