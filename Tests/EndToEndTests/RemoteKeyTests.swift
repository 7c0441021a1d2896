// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Keys of `play` beside a service")
struct RemoteKeyTests {
    private let run: ServiceRun

    init() throws { run = try ServiceRun() }

    @Test("Each key of playback changes the player of the service")
    func keys() throws {
        let service = try run.serve()
        let screen = try TmuxScreen(columns: 100, rows: 24, environment: run.environment)
        try screen.type("\(Earshot.program) play 1 2 --repeat all")
        #expect(screen.wait { _ in run.status("{state} {title}") == "playing Part 1" }, "\(screen.rows)")
        try screen.press("Space", expecting: "paused") { run.status("{state}") }
        try screen.press("+", expecting: "105") { run.status("{volume}") }
        try screen.press("Down", expecting: "100") { run.status("{volume}") }
        try screen.press("]", expecting: "1.05") { run.status("{speed}") }
        try screen.press("\\", expecting: "1.0") { run.status("{speed}") }
        try screen.press("[", expecting: "0.95") { run.status("{speed}") }
        try screen.press("R", expecting: "off") { run.status("{repeat}") }
        try screen.press("R", expecting: "one") { run.status("{repeat}") }
        try screen.press(">", expecting: "Part 2") { run.status("{title}") }
        try screen.press("<", expecting: "Part 1") { run.status("{title}") }
        try screen.press("Left", expecting: "0:00") { run.status("{position}") }
        try screen.press("b", expecting: "paused") { run.status("{state}") }
        #expect(screen.wait { $0.contains("added bookmark 1 at") }, "\(screen.rows)")
        #expect(try run.library.json("bookmarks").count == 1)
        for key in ["z", "c", "C", "r", "n", "x"] { try screen.press(key) }
        try screen.press("Space", expecting: "playing") { run.status("{state}") }
        try screen.press("q")
        #expect(screen.wait { _ in run.status("{state}") == "idle" })
        run.end(service)
    }

    @Test("With `d`, `play` ends and its sound continues")
    func leaves() throws {
        let service = try run.serve()
        let screen = try TmuxScreen(columns: 100, rows: 24, environment: run.environment)
        try screen.type("\(Earshot.program) play 1 --repeat all; echo status $?")
        #expect(screen.wait { _ in run.status("{state}") == "playing" }, "\(screen.rows)")
        try screen.press("d")
        #expect(screen.wait { $0.contains("status 0") }, "\(screen.rows)")
        #expect(screen.wait { _ in run.status("{state} {title}") == "playing Part 1" })
        run.end(service)
    }
}
