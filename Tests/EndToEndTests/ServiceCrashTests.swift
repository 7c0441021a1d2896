// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("A service after a crash")
struct ServiceCrashTests {
    private let run: ServiceRun

    init() throws { run = try ServiceRun() }

    private func crash(_ service: ProgramRun) {
        service.signal(SIGKILL)
        _ = service.wait()
    }

    /// Plays targets at half speed, so that the first one does not end before the test.
    private func play(_ targets: [String], from start: String, _ service: ProgramRun) throws {
        var connection = try run.connect(to: "player")
        let list = JSONValue.array(targets.map(JSONValue.string))
        let parameters = [JSONValue.Member("targets", list), .init("from", .string(start))]
        _ = try connection.call(.play, parameters, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state}") == "playing" })
        _ = try connection.call(.speed, [.init("to", .string("0.5"))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {speed}") == "playing 0.5" })
    }

    @Test("A service that crashed while it was paused is silent, and `play` continues where it was, with the same list")
    func paused() throws {
        #expect(try run.run("mark", "played", "2").status == 0)
        let first = try run.serve()
        try play(["2", "3"], from: "5", first)
        #expect(try run.run("pause").status == 0)
        #expect(first.wait { _ in run.record.contains("playing no\nopen yes\n") && run.record.contains("speed 0.5\n") })
        crash(first)
        let second = try run.serve()
        #expect(run.status("{state}") == "idle")
        var connection = try run.connect(to: "player")
        let playing = try connection.call(.play, within: ServiceRun.limit)
        #expect((playing["items"]?.elements ?? []).map { $0["title"]?.string } == ["Part 2", "Part 3"])
        #expect(second.wait { _ in run.status("{state} {title} {speed}") == "playing Part 2 0.5" })
        let status = try connection.call(.status, within: ServiceRun.limit)
        #expect((status["position"]?.double ?? 0) >= 5)
        run.end(second)
    }

    @Test("A chosen output on which nothing sounded before a crash is remembered when something sounds on it")
    func silentOutput() throws {
        let server = try PulseServer()
        let output = "pulse:\(PulseServer.sinkName)"
        #expect(try run.run("settings", "set", "remember", "output").status == 0)
        let first = try run.serve(["--output", output], ["PULSE_SERVER": server.address])
        #expect(first.wait { _ in run.record.contains("silent yes\n") })
        crash(first)
        let second = try run.serve([], ["PULSE_SERVER": server.address])
        var connection = try run.connect(to: "player")
        _ = try connection.call(.play, [.init("targets", .array([.string("2")]))], within: ServiceRun.limit)
        let scratch = run.library.earshot.scratch
        let sound = { String(decoding: scratch.read("earshot/sound"), as: UTF8.self) }
        #expect(second.wait { _ in sound() == "output \(output)\n" })
        #expect(second.wait { _ in run.record.contains("output") && !run.record.contains("silent") })
        run.end(second)
    }

    @Test("A skipped episode may be queued again while a service that crashed rests")
    func queuedAgain() throws {
        let first = try run.serve()
        #expect(try run.run("queue", "add", "1", "2", "3").status == 0)
        var connection = try run.connect(to: "player")
        _ = try connection.call(.play, within: ServiceRun.limit)
        #expect(first.wait { _ in run.status("{state} {title}") == "playing Part 1" })
        _ = try connection.call(.next, within: ServiceRun.limit)
        #expect(first.wait { _ in run.status("{state} {title}") == "playing Part 2" })
        #expect(try run.run("pause").status == 0)
        #expect(
            first.wait { _ in
                run.record.contains("playing no\nopen yes\n") && run.record.hasSuffix("target 2\npassed 1\n")
            })
        crash(first)
        let second = try run.serve()
        #expect(try run.run("queue", "remove", "1").status == 0)
        #expect(second.wait { _ in run.record.hasSuffix("target 2\n") })
        run.end(second)
    }

    @Test("Playback that a client has stopped does not continue after a crash", arguments: ["stop", "quit"])
    func stopped(command: String) throws {
        let service = try run.serve()
        try play(["2", "3"], from: "1", service)
        #expect(service.wait { _ in run.record.contains("open yes\n") })
        if command == "stop" {
            #expect(try run.run("stop").status == 0)
        } else {
            var connection = try run.connect(to: "player")
            _ = try connection.call(.command, [.init("line", .string(command))], within: ServiceRun.limit)
        }
        #expect(service.wait { _ in run.status("{state}") == "idle" && run.record.contains("open no\n") })
        run.end(service)
    }

    @Test("After a second crash with the same item, it is paused also if the output was changed since the first")
    func changedOutput() throws {
        run.library.server.serve("/part2.mp3", FaultScript(body: MP3Builder.twoMinutes))
        let first = try run.serve()
        try play(["2", "3"], from: "1", first)
        #expect(first.wait { _ in run.record.contains("playing yes\n") && run.record.contains("speed 0.5\n") })
        crash(first)
        let second = try run.serve()
        #expect(second.wait { _ in run.status("{state}") == "playing" })
        var connection = try run.connect(to: "player")
        _ = try connection.call(.output, [.init("to", .string("null"))], within: ServiceRun.limit)
        run.awaitNextPlayer(second, &connection)
        #expect(second.wait { _ in run.status("{state}") == "playing" && run.record.contains("playing yes\n") })
        crash(second)
        let third = try run.serve()
        #expect(third.wait { _ in run.status("{state} {title}") == "paused Part 2" })
        run.end(third)
    }
}
