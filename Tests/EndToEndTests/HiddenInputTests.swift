// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Addresses typed in a terminal")
struct HiddenInputTests {
    private static let prompt = "end with an empty line:"
    private let run: FeedRun
    private let screen: TmuxScreen

    init() throws {
        run = try FeedRun()
        run.serve(ServedFeed("Harbour Tales", [.named("Storm")]))
        run.serve(ServedFeed("Sea News", [.named("Whales")]), at: "/news")
        screen = try TmuxScreen(columns: 120, rows: 24, environment: run.environment)
        try screen.type("\(Earshot.program) subscribe -; echo \"status $?.\"")
        // The prompt appears after the terminal has stopped echoing.
        #expect(screen.wait { $0.contains(Self.prompt) }, "\(screen.rows)")
    }

    /// True if the terminal echoes what is typed to the next program.
    private func echoes() throws -> Bool { try screen.terminal(has: "echo") }

    /// The rows with an address on them.
    private var shown: [String] { screen.rows.filter { $0.contains("http://") || $0.contains("token") } }

    @Test("Typed addresses are not shown, an empty line ends them, and the terminal echoes again afterwards")
    func hides() throws {
        try screen.type(run.server.url("/feed?token=a"))
        try screen.type("  " + run.server.url("/news"))
        try screen.press("Enter")
        #expect(screen.wait { $0.contains("status 0.") }, "\(screen.rows)")
        #expect(shown == [])
        #expect(screen.rows.contains("p1  Harbour Tales  (1 episode)"), "\(screen.rows)")
        #expect(screen.rows.contains("p2  Sea News  (1 episode)"), "\(screen.rows)")
        #expect(try run.json("podcasts").map { $0["feedURL"]?.text }.contains(run.server.url("/news")))
        #expect(try echoes())
    }

    @Test("The end of the input ends the addresses, too, and comments are left out")
    func endOfInput() throws {
        try screen.type("# " + run.server.url("/feed"))
        try screen.type(run.server.url("/news"))
        try screen.press("C-d")
        #expect(screen.wait { $0.contains("status 0.") }, "\(screen.rows)")
        #expect(try run.json("podcasts").map { $0["title"]?.text } == ["Sea News"])
        #expect(try echoes())
    }

    @Test(
        "A signal ends the program, nothing is subscribed, and the terminal echoes again",
        arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(CInt, Int)])
    func signals(signal: CInt, status: Int) throws {
        let program = try #require(screen.child)
        let before = bytesRead(by: program)
        try screen.type(run.server.url("/feed"))
        // Otherwise, the shell would read the address after the end of the program, and echo it.
        #expect(screen.wait { _ in bytesRead(by: program) >= before + run.server.url("/feed").utf8.count })
        kill(program, signal)
        #expect(screen.wait { $0.contains("status \(status).") }, "\(screen.rows)")
        #expect(shown == [])
        #expect(try run.json("podcasts").isEmpty)
        #expect(try echoes())
    }

    /// Returns the number of bytes that a process has read so far (proc(5), /proc/pid/io).
    private func bytesRead(by process: pid_t) -> Int {
        let lines = ScratchDirectory.procFile("/proc/\(process)/io").split(separator: "\n")
        return lines.first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst(7)) } ?? 0
    }

    /// True if the program runs in the foreground, and its terminal does not echo.
    private var isHidden: Bool {
        guard screen.format("#{pane_current_command}") == "earshot" else { return false }
        let terminal = open(screen.format("#{pane_tty}"), O_RDONLY | O_NOCTTY)
        defer { close(terminal) }
        var modes = termios()
        return tcgetattr(terminal, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) == 0
    }

    @Test("After Ctrl-Z and fg, the input is hidden again")
    func stopped() throws {
        try screen.press("C-z")
        #expect(screen.wait { $0.contains("Stopped") }, "\(screen.rows)")
        try screen.type("fg; echo \"ended $?.\"")
        #expect(screen.wait { _ in isHidden }, "\(screen.rows)")
        try screen.type(run.server.url("/feed?token=a"))
        try screen.press("Enter")
        // Until its end, the program discards what is typed.
        #expect(screen.wait { $0.contains("ended 0.") }, "\(screen.rows)")
        #expect(screen.rows.contains { $0.hasPrefix("p1  Harbour Tales") }, "\(screen.rows)")
        #expect(shown == [])
        #expect(try echoes())
    }

    @Test("Ctrl-C ends the program and restores the terminal")
    func interrupt() throws {
        try screen.type(run.server.url("/feed"))
        try screen.press("C-c")
        #expect(screen.wait { $0.contains("status 130.") }, "\(screen.rows)")
        #expect(shown == [])
        #expect(try echoes())
    }
}
