// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("The cover on the full screen")
struct ScreenCoverTests {
    private static let folder = "earshot/covers"
    private let run: ScreenRun
    private let server: FaultServer

    /// Adds an episode with a cover of its own to the library.
    init() throws {
        run = try ScreenRun()
        server = try FaultServer()
        server.serve("/cover.gif", FaultScript(body: Self.yellowAndBlue, contentType: "image/gif"))
        server.serve("/lighthouse.mp3", DemoEpisodes.episode(1))
        var item = ServedFeed.Item.named("Lighthouse")
        item.url = server.url("/lighthouse.mp3")
        item.elements = "<itunes:image href=\"\(server.url("/cover.gif"))\"/>"
        server.serve("/feed", ServedFeed("Beacons", [item]).script)
        let outcome = try run.earshot.run(["subscribe", server.url("/feed")], environment: run.environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// The pictures and drawings, without those that are being written.
    private var kept: [String] { run.stage.directory.names(in: Self.folder).filter { !$0.contains(".") } }

    /// A picture whose left half is yellow and whose right half is blue (GIF89a). A clear code before each row keeps
    /// all codes at 8 bits, so that each pixel is a byte.
    private static let yellowAndBlue: [UInt8] = {
        let size: [UInt8] = [40, 0, 40, 0]
        let colours: [UInt8] = [0xFF, 0xFF, 0, 0, 0, 0xFF] + [UInt8](repeating: 0, count: 126 * 3)
        let row: [UInt8] = [41, 128] + (0..<40).map { $0 / 20 }
        let rows = [[UInt8]](repeating: row, count: 40).joined()
        return Array("GIF89a".utf8) + size + [0xF6, 0, 0] + colours + [0x2C, 0, 0, 0, 0] + size + [0, 7] + rows
            + [1, 129, 0, 0x3B]
    }()

    /// Plays the episode and shows the screen, which has a place for the cover at this size.
    private func show(
        until isShown: (TmuxScreen) -> Bool, _ environment: [String: String] = [:]
    ) throws -> (isShown: Bool, rows: [String]) {
        let play = try run.startPlaying("lighthouse")
        let screen = try run.start(columns: 120, rows: 40, environment)
        let isShown = screen.wait { isShown(screen) }
        let rows = screen.rows
        try screen.press("Q")
        #expect(screen.wait { !screen.isFullScreen })
        #expect(play.wait().status == 0)
        return (isShown, rows)
    }

    /// The number of rows on which yellow cells stand, and blue ones after them.
    private static func rowsOfHalves(_ text: String) -> Int {
        func first(_ row: Substring, _ colour: Character) -> String.Index? {
            let codes = row.ranges(of: "\u{1B}[").compactMap { start -> String.Index? in
                let codes = row[start.upperBound...].prefix { $0 != "m" }.split(separator: ";")
                let isColour = codes.contains { ["3", "4", "9", "10"].contains($0.dropLast()) && $0.last == colour }
                return isColour ? start.lowerBound : nil
            }
            return codes.first
        }
        return text.split(separator: "\n").count { row in
            guard let yellow = first(row, "3"), let blue = first(row, "4") else { return false }
            return yellow < blue
        }
    }

    @Test("The cover of the playing episode is drawn in block symbols with its colours")
    func symbols() throws {
        let (isShown, rows) = try show(until: { Self.rowsOfHalves($0.styledText) >= 8 })
        #expect(isShown, "\(rows.joined(separator: "\n"))")
    }

    @Test("A later screen shows the stored drawing, and does not fetch the picture again")
    func stored() throws {
        let isDrawn = try show(until: { Self.rowsOfHalves($0.styledText) >= 8 }).isShown
        let names = kept
        try #require(isDrawn && names.count == 2, "\(names)")
        #expect(run.stage.directory.read("\(Self.folder)/\(names[0])") == Self.yellowAndBlue)
        #expect(names[1].hasPrefix(names[0] + "-symbols-16-"))

        let requests = server.requests(for: "/cover.gif").count
        try run.stage.directory.write(Array("a stored drawing\n".utf8), to: "\(Self.folder)/\(names[1])")
        let (isShown, rows) = try show(until: { $0.rows.contains { $0.contains("a stored drawing") } })
        #expect(isShown, "\(rows.joined(separator: "\n"))")
        #expect(server.requests(for: "/cover.gif").count == requests)
    }

    @Test("A terminal without UTF-8 and colours gets a drawing of ASCII characters")
    func ascii() throws {
        let isDrawn = try show(
            until: { _ in kept.contains { $0.contains("-ascii-none-") } },
            ["LC_ALL": "C", "NO_COLOR": "1"])
        #expect(isDrawn.isShown)
        let name = try #require(kept.last)
        let drawing = String(decoding: run.stage.directory.read("\(Self.folder)/\(name)"), as: UTF8.self)
        #expect(drawing.contains { !$0.isWhitespace } && drawing.allSatisfy(\.isASCII), "\(drawing)")
    }

    @Test("A picture that is none, or that its server refuses, leaves its place to the text", arguments: [200, 404])
    func none(status: Int) throws {
        server.serve("/cover.gif", FaultScript(body: Array("no picture".utf8)).with { $0.status = status })
        let (isShown, rows) = try show(
            until: { screen in
                !server.requests(for: "/cover.gif").isEmpty && screen.rows.contains { $0.contains("Lighthouse") }
            })
        #expect(isShown, "\(rows)")
        #expect(kept == [])
    }

    // MARK: Pictures of the terminal

    /// A terminal that answers the last of the questions with its first argument, then plays the episode, and prints
    /// whether the second argument was written to it.
    private static let terminal = """
        import fcntl, os, pty, select, struct, sys, termios, time

        answers, picture = (bytes.fromhex(word) for word in sys.argv[1:3])
        leader, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 960, 640))
        if os.fork() == 0:
            os.setsid()
            for number in (0, 1, 2): os.dup2(terminal, number)
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            os.execv(sys.argv[3], sys.argv[3:])
        os.close(terminal)

        seen = b""
        def wait(what):
            global seen
            end = time.monotonic() + 60
            while what not in seen and time.monotonic() < end:
                if select.select([leader], [], [], 0.1)[0]: seen += os.read(leader, 65536)
            if what not in seen: sys.exit("nothing came of it: " + repr(seen[-200:]))

        wait(b"\\x1b[c")
        # The keys come after the answers, so the picture is drawn for a terminal that is known.
        os.write(leader, answers + b":play lighthouse\\r")
        wait(picture)
        os.write(leader, b"Q")
        wait(b"\\x1b[?1049l")
        print("drawn", os.waitstatus_to_exitcode(os.wait()[1]))
        """

    private static func hex(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "A terminal that offers pictures gets one in its own protocol",
        arguments: [
            ("\u{1B}[?62;4c", "\u{1B}P0;1;0q", "sixels"),
            ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", "\u{1B}_Ga=T,", "kitty"),
        ])
    func pictures(answers: String, start: String, form: String) throws {
        let script = try run.earshot.scratch.write(Array(Self.terminal.utf8), to: "terminal.py")
        let outcome = try ProgramRun.run(
            ["python3", script, Self.hex(answers), Self.hex(start), Earshot.program, "tui", "--output", "null"],
            environment: ProgramRun.plainEnvironment.merging(run.environment) { $1 }
                .merging(["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"]) { $1 },
            limit: TimeLimit.event * 3)
        #expect(outcome.outputText == "drawn 0\n", "\(outcome.errors)")
        #expect(kept.contains { $0.contains("-\(form)-") })
        // The screen leaves its player running.
        kill(try #require(run.owner), SIGTERM)
    }
}
