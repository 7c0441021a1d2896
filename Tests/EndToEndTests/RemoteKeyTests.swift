// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Keys of `play` beside a service")
struct RemoteKeyTests {
    private let run: ServiceRun

    init() throws { run = try ServiceRun() }

    private func status(_ format: String) -> String {
        ((try? run.run("status", "--format", format).outputText) ?? "").filter { $0 != "\n" }
    }

    /// Presses a key, and waits until the status has a value.
    private func expect(
        _ key: String, _ format: String, _ value: String, _ screen: TmuxScreen,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try screen.press(key)
        #expect(
            screen.wait { _ in status(format) == value }, "\(key): \(status(format)); \(screen.rows)",
            sourceLocation: location)
    }

    @Test("Each key of playback changes the player of the service")
    func keys() throws {
        let service = try run.serve()
        let screen = try TmuxScreen(columns: 100, rows: 24, environment: run.environment)
        try screen.type("\(Earshot.program) play 1 2 --repeat all")
        #expect(screen.wait { _ in status("{state} {title}") == "playing Part 1" }, "\(screen.rows)")
        try expect("Space", "{state}", "paused", screen)
        try expect("+", "{volume}", "105", screen)
        try expect("Down", "{volume}", "100", screen)
        try expect("]", "{speed}", "1.05", screen)
        try expect("\\", "{speed}", "1.0", screen)
        try expect("[", "{speed}", "0.95", screen)
        try expect("R", "{repeat}", "off", screen)
        try expect("R", "{repeat}", "one", screen)
        try expect(">", "{title}", "Part 2", screen)
        try expect("<", "{title}", "Part 1", screen)
        try expect("Left", "{position}", "0:00", screen)
        try expect("b", "{state}", "paused", screen)
        #expect(screen.wait { _ in (try? run.library.json("bookmarks").count) == 1 })
        for key in ["z", "c", "C", "r", "n", "x"] { try screen.press(key) }
        try expect("Space", "{state}", "playing", screen)
        try screen.press("q")
        #expect(screen.wait { _ in status("{state}") == "idle" })
        run.end(service)
    }

    @Test("With `d`, `play` ends and its sound continues")
    func leaves() throws {
        let service = try run.serve()
        let screen = try TmuxScreen(columns: 100, rows: 24, environment: run.environment)
        try screen.type("\(Earshot.program) play 1 --repeat all; echo status $?")
        #expect(screen.wait { _ in status("{state}") == "playing" }, "\(screen.rows)")
        try screen.press("d")
        #expect(screen.wait { $0.contains("status 0") }, "\(screen.rows)")
        #expect(status("{state} {title}") == "playing Part 1")
        run.end(service)
    }
}
