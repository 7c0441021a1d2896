// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Signals and status lines")
struct TerminalTests {
    @Test(
        "INT, TERM and HUP stop playback promptly and keep the partial file and its manifest",
        arguments: [
            (SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129),
        ] as [(CInt, CInt)])
    func signals(signal: CInt, status: CInt) throws {
        let server = try DemoEpisodes.server { $1.rate = 40_000 }
        let earshot = try Earshot()
        let run = try earshot.startPlaying([server.url("/part4.mp3")])
        let isStored = run.wait { run in
            run.errorsSoFar.contains("playing ")
                && earshot.kept.first.map { earshot.bytes(kept: $0).count > 10_000 } ?? false
        }
        #expect(isStored)
        let start = ContinuousClock.now
        run.signal(signal)
        let outcome = run.wait()
        #expect(ContinuousClock.now - start < TimeLimit.shortRun)
        #expect(outcome.status == status && outcome.sentences == [])
        #expect(earshot.kept.first?.hasSuffix(".partial") == true)
        #expect(earshot.kept.last?.hasSuffix(".partial.json") == true)
        let partial = earshot.bytes(kept: earshot.kept[0])
        #expect(partial.count > 10_000 && DemoEpisodes.bytes(4).starts(with: partial))
    }

    @Test("A signal ends the program while it waits for a server", arguments: ["/a.mp3", "/feed"])
    func waiting(path: String) throws {
        let server = try FaultServer()
        server.serve(path, FaultScript(body: [1]).with { $0.latency = .seconds(15) })
        let earshot = try Earshot()
        let run = try earshot.startPlaying([server.url(path)])
        #expect(run.wait { _ in !server.requests.isEmpty })
        let start = ContinuousClock.now
        run.signal(SIGTERM)
        #expect(run.wait().status == 143 && ContinuousClock.now - start < TimeLimit.shortRun)
    }

    @Test(
        "A pipe gets one line for each change of state, without colours, and no line for each second",
        arguments: [
            [:], ["TERM": "xterm-256color"], ["NO_COLOR": "1"],
        ])
    func plainLines(environment: [String: String]) throws {
        let earshot = try Earshot()
        let server = try DemoEpisodes.server()
        let outcome = try earshot.run(
            ["play", server.url("/part1.mp3"), "--until", "2.2", "--output", "null", "--keep-dir", earshot.keepPath],
            environment: environment)
        let lines = outcome.errors.split(separator: "\n")
        #expect(outcome.status == 0 && outcome.output == [])
        // At most loading, buffering, playing and ended.
        #expect((1...4).contains(lines.count), "\(outcome.errors)")
        #expect(Set(lines.map { $0.prefix { $0.isLetter } }).count == lines.count, "\(outcome.errors)")
        #expect(lines.allSatisfy { $0.contains("part1.mp3") } && !outcome.errors.contains("\u{1B}"))
        #expect(!outcome.errors.contains("\r"))
    }

    @Test("The key of the next item says that there is none")
    func lastItem() throws {
        let screen = try TmuxScreen(columns: 100, rows: 24, environment: [:])
        try screen.type("\(Earshot.program) play \(DemoEpisodes.path(1)) --output null --here --repeat one")
        #expect(screen.wait { $0.contains("playing  Part 1") }, "\(screen.rows)")
        try screen.press(">")
        #expect(screen.wait { $0.contains("earshot: there is no next item") }, "\(screen.rows)")
        try screen.press("q")
    }

    @Test("The key of the next item does not say that there is none directly after one that repeats the playlist")
    func repeatedItem() throws {
        let screen = try TmuxScreen(columns: 160, rows: 24, environment: [:])
        try screen.type("\(Earshot.program) play \(DemoEpisodes.path(1)) --output null --here --repeat one")
        #expect(screen.wait { $0.contains("playing  Part 1") }, "\(screen.rows)")
        try screen.press("R", ">")
        #expect(screen.wait { $0.contains(" repeat all") }, "\(screen.rows)")
        #expect(!screen.rows.joined().contains("there is no next item"), "\(screen.rows)")
        try screen.press("q")
    }

    @Test("--quiet prints only errors")
    func quiet() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let fine = try earshot.play([server.url("/part1.mp3")], ["--quiet"])
        #expect(fine.status == 0 && fine.errors.isEmpty && fine.output.isEmpty)
        let mixed = try earshot.play([server.url("/none.mp3"), server.url("/part1.mp3")], ["--quiet"])
        #expect(mixed.status == 66)
        #expect(mixed.errors == "earshot: \(server.url("/none.mp3")): the server answered 404 Not Found\n")
    }

    @Test("raw:- writes samples to standard output")
    func standardOutput() throws {
        let outcome = try Earshot().play([DemoEpisodes.path(1)], output: "raw:-")
        #expect(try outcome.status == 0 && outcome.output == DemoEpisodes.samples(1))
    }
}
