// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Glibc
import Testing

@Suite("The full-screen interface in a terminal")
struct ScreenTests {
    private let run: ScreenRun

    init() throws { run = try ScreenRun() }

    @Test(
        "At every size, the borders stand in their columns, and leaving restores the terminal",
        arguments: [(80, 24), (60, 15), (200, 60)])
    func sizes(columns: Int, rows: Int) throws {
        let screen = try run.start(columns: columns, rows: rows)
        // Rows that are read again may be those of a redraw.
        #expect(
            screen.wait { text in
                let rows = text.split(separator: "\n").map(String.init)
                return text.contains("The storm") && Set(rows.compactMap(\.borderColumns.first)).count <= 1
                    && rows.allSatisfy { !$0.contains("owned") || $0.contains("escape") || columns < 80 }
            }, "\(screen.rows.joined(separator: "\n"))")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen && screen.child == nil })
        #expect(try screen.terminal(has: "echo"), "\(screen.rows)")
    }

    @Test("A window of 20 by 5 cells still works")
    func tiny() throws {
        let screen = try run.start(columns: 20, rows: 5)
        #expect(screen.wait { screen.isFullScreen })
        try screen.press("?")
        try screen.press("Escape")
        try screen.press("3")
        #expect(screen.wait { $0.contains("The storm") }, "\(screen.rows)")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen })
    }

    @Test("Keys filter a list, show the help, and run commands")
    func keys() throws {
        let screen = try run.start()
        #expect(screen.wait { $0.contains("The storm") })
        try screen.press("3")
        #expect(screen.wait { $0.contains("Whales seen") })
        try screen.press("/")
        try screen.type("whales")
        #expect(screen.wait { $0.contains("Whales seen") && !$0.contains("The storm") }, "\(screen.rows)")
        try screen.press("Escape")
        #expect(screen.wait { $0.contains("The storm") })
        try screen.press("a")
        #expect(screen.wait { _ in (try? run.stage.library.queue().count) == 1 })
        try screen.press(":")
        try screen.type("queue clear")
        #expect(screen.wait { _ in (try? run.stage.library.queue().isEmpty) == true })
        try screen.press(":")
        try screen.type("queue add nothing-of-this-name")
        #expect(screen.wait { $0.contains("nothing-of-this-name") && !$0.contains("earshot: ") }, "\(screen.rows)")
        try screen.press(":")
        try screen.type("help queue add")
        #expect(screen.wait { $0.contains("OVERVIEW: Add episodes to the end of the queue.") }, "\(screen.rows)")
        try screen.press("Escape")
        #expect(screen.wait { !$0.contains("OVERVIEW") }, "\(screen.rows)")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen })
    }

    @Test("Each view shows its rows")
    func views() throws {
        let screen = try run.start()
        #expect(screen.wait { $0.contains("The storm") })
        try screen.press("3", "t")
        #expect(screen.wait { $0.contains("the feed lists no transcript") }, "\(screen.rows)")
        try screen.press("5", "/")
        try screen.type("whales")
        #expect(screen.wait { $0.contains("Whales seen") && !$0.contains("The storm") }, "\(screen.rows)")
        try screen.press("7")
        #expect(screen.wait { $0.contains("auto-download") }, "\(screen.rows)")
        try screen.press("6")
        #expect(screen.wait { !$0.contains("auto-download") }, "\(screen.rows)")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen })
    }

    @Test("A change by another process appears")
    func changes() throws {
        let screen = try run.start()
        #expect(screen.wait { $0.contains("The storm") })
        try screen.press("1")
        #expect(screen.wait { !$0.contains("The storm") })
        #expect(try run.earshot.run(["queue", "add", "storm"], environment: run.environment).status == 0)
        #expect(screen.wait { $0.contains("The storm") }, "\(screen.rows)")
    }

    @Test("A hundred new sizes leave a whole screen, and playback continues")
    func resizes() throws {
        let play = try run.startPlaying()
        let screen = try run.start()
        #expect(screen.wait { $0.contains("The storm") && Self.showsPlayer($0) }, "\(screen.rows)")
        var random = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            try screen.resize(
                columns: Int.random(in: 1...150, using: &random), rows: Int.random(in: 1...50, using: &random))
        }
        try screen.resize(columns: 80, rows: 24)
        // The interface draws the last size after those before it.
        #expect(
            screen.wait { text in
                let borders = text.split(separator: "\n").compactMap { String($0).borderColumns.first }
                return text.contains("The storm") && text.contains("? help") && Self.showsPlayer(text)
                    && Set(borders).count == 1
            }, "\(screen.rows.joined(separator: "\n"))")
        #expect(screen.wait { _ in run.status() == "playing" })
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen })
        play.write("quit\n")
        #expect(play.wait().status == 0)
    }

    @Test("Ctrl-Z gives the terminal back, and fg shows the screen again")
    func suspends() throws {
        let screen = try run.start()
        #expect(screen.wait { $0.contains("The storm") })
        try screen.press("C-z")
        #expect(screen.wait { !screen.isFullScreen && $0.contains("Stopped") }, "\(screen.rows)")
        #expect(try screen.terminal(has: "icanon"), "\(screen.rows)")
        try screen.type("fg")
        #expect(screen.wait { screen.isFullScreen && $0.contains("The storm") }, "\(screen.rows)")
        try screen.press("C-z")
        // The shell reads the next line, not the interface.
        #expect(screen.wait { !screen.isFullScreen && $0.ranges(of: "Stopped").count == 2 }, "\(screen.rows)")
        try screen.type("bg; echo behind")
        #expect(screen.wait { $0.contains("\nbehind") })
        #expect(!screen.isFullScreen)
        try screen.type("fg")
        #expect(screen.wait { screen.isFullScreen && $0.contains("The storm") }, "\(screen.rows)")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen && screen.child == nil })
    }

    @Test("Signals restore the terminal", arguments: [SIGTERM, SIGQUIT, SIGINT, SIGSEGV, SIGABRT])
    func signals(signal: CInt) throws {
        let screen = try run.start()
        #expect(screen.wait { $0.contains("The storm") })
        kill(try #require(screen.child), signal)
        #expect(screen.wait { !screen.isFullScreen && screen.child == nil })
        #expect(try screen.terminal(has: "icanon"), "\(screen.rows)")
    }

    @Test("Ctrl-C leaves with the sentence of \"q\"")
    func interrupted() throws {
        let play = try run.startPlaying()
        let screen = try run.start()
        #expect(screen.wait { $0.contains("Part 1") && Self.showsPlayer($0) }, "\(screen.rows)")
        try screen.press("C-c")
        #expect(screen.wait { !screen.isFullScreen && $0.contains("continues to play") }, "\(screen.rows)")
        #expect(screen.wait { _ in run.status() == "playing" })
        play.write("quit\n")
        #expect(play.wait().status == 0)
    }

    @Test("A closed terminal ends the interface")
    func closed() throws {
        let screen = try run.start()
        #expect(screen.wait { $0.contains("The storm") })
        let process = try #require(screen.child)
        try screen.tmux(["kill-server"])
        #expect(screen.wait { kill(process, 0) != 0 })
    }

    @Test("Playback continues after the interface is killed, and the next one shows it")
    func killed() throws {
        let play = try run.startPlaying()
        let screen = try run.start()
        #expect(screen.wait { $0.contains("Part 1") }, "\(screen.rows)")
        kill(try #require(screen.child), SIGKILL)
        #expect(screen.wait { screen.child == nil })
        #expect(screen.wait { _ in run.status() == "playing" })
        try screen.type("reset; \(Earshot.program)")
        #expect(screen.wait { screen.isFullScreen && $0.contains("Part 1") }, "\(screen.rows)")
        #expect(screen.wait { Self.showsPlayer($0) }, "\(screen.rows)")
        try screen.press("Space")
        // The screen also shows the moment at which the repeated episode starts again.
        #expect(screen.wait { run.status() == "paused" })
        #expect(screen.wait { !Self.showsPlayer($0) }, "\(screen.rows)")
        try screen.press("q")
        #expect(screen.wait { !screen.isFullScreen && $0.contains("stays paused") }, "\(screen.rows)")
        play.write("quit\n")
        #expect(play.wait().status == 0)
    }

    @Test("Q stops playback, and while it is paused only the timer of libdispatch wakes the interface")
    func paused() throws {
        let play = try run.startPlaying()
        let screen = try run.start()
        #expect(screen.wait { $0.contains("Part 1") })
        #expect(screen.wait { Self.showsPlayer($0) }, "\(screen.rows)")
        try screen.press("Space")
        #expect(screen.wait { _ in run.status() == "paused" })
        let process = try #require(screen.child)
        // The state arrives after the key. libdispatch wakes once a second in every program that runs tasks.
        #expect(
            screen.wait {
                let before = Self.switches(process)
                usleep(1_000_000)
                return Self.switches(process) - before <= 2
            })
        try screen.press("Q")
        #expect(screen.wait { !screen.isFullScreen })
        #expect(play.wait().status == 0)
    }

    /// True if the screen shows what the player of another process does; a list shows titles earlier.
    private static func showsPlayer(_ text: String) -> Bool {
        text.split(separator: "\n").contains { $0.hasPrefix(" ▶ ") && $0.contains(" / ") }
    }

    /// The number of times that a thread of the process went to sleep (proc(5)).
    private static func switches(_ process: pid_t) -> Int {
        let tasks = "/proc/\(process)/task"
        guard let folder = opendir(tasks) else { return -1 }
        defer { closedir(folder) }
        var sum = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let lines = ScratchDirectory.procFile("\(tasks)/\(name)/status").split(separator: "\n")
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
            sum += line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
        return sum
    }

    @Test("NO_COLOR leaves bold and reverse only")
    func noColours() throws {
        let screen = try run.start(["NO_COLOR": "1"])
        #expect(screen.wait { $0.contains("The storm") })
        let codes = screen.styledText.split(separator: "\u{1B}[").dropFirst().map { $0.prefix { $0 != "m" } }
        let parameters = Set(codes.flatMap { $0.split(separator: ";").compactMap { Int($0) } })
        #expect(parameters.isDisjoint(with: (30...37)) && parameters.isDisjoint(with: (40...47)), "\(parameters)")
    }

    @Test("A terminal without UTF-8 gets ASCII")
    func eightBits() throws {
        let screen = try run.start(["LC_ALL": "C"])
        #expect(screen.wait { $0.contains("The storm") })
        #expect(screen.rows.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(screen.rows)")
    }

    @Test("TERM=dumb gets lines")
    func dumb() throws {
        let screen = try TmuxScreen(columns: 80, rows: 24, environment: run.environment)
        try screen.type("TERM=dumb \(Earshot.program)")
        #expect(screen.wait { $0.contains("Type a command") }, "\(screen.rows)")
        #expect(!screen.isFullScreen)
        try screen.type("queue add storm")
        try screen.type("queue")
        #expect(screen.wait { $0.contains("The storm") }, "\(screen.rows)")
        try screen.type("quit")
        #expect(screen.wait { screen.child == nil })
    }

    @Test("A command line is read, and nothing is drawn, in the mode of lines")
    func lines() throws {
        let play = try run.startPlaying()
        let lines = try run.earshot.start(
            ["tui", "--lines"], environment: run.environment, keepsInput: true, limit: TimeLimit.event * 2)
        #expect(lines.wait { $0.outputSoFar.contains("Playing \"Part 1\"") }, "\(lines.outputSoFar)")
        lines.write("queue add storm\nqueue\npause\n")
        #expect(lines.wait { $0.outputSoFar.contains("The storm") && $0.outputSoFar.contains("Paused:") })
        lines.write("\u{0C}\nqueue add \"no such thing\nnothing-like-this\nquit\n")
        let outcome = lines.wait()
        #expect(outcome.status == 0 && outcome.outputText.contains("A quote is not closed."))
        // Ctrl-L is not a command.
        #expect(outcome.outputText.ranges(of: "failed with the status 64").count == 1)
        #expect(!outcome.outputText.contains("\u{1B}"))
        play.write("quit\n")
        _ = play.wait()
    }

    @Test("Without a terminal, the screen gives advice")
    func noTerminal() throws {
        let outcome = try run.earshot.run(["tui"], environment: run.environment)
        #expect(outcome.status == 64 && outcome.errors.contains("earshot tui --lines"))
    }
}
