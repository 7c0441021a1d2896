// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Media
import Testing

/// The loss of the new output.
extension ServiceOutputTests {
    @Test("If the new output cannot be opened, the former one plays the list at the same position, with one sentence")
    func deadOutput() throws {
        let web = run.library.server
        web.serve("/slow", DemoEpisodes.episode(2))
        #expect(try run.run("settings", "set", "remember", "both").status == 0)
        let service = try run.library.earshot.start(
            ["serve", "--output", "null"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        var connection = try run.connect(to: "player")
        try run.play([web.url("/slow"), "3"], from: "5", on: service, &connection)
        _ = try connection.call(.speed, [.init("to", .string("0.5"))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {speed}") == "playing 0.5" })
        let hasEnded = holdBytes()
        try change(to: "pulse:\(PulseServer.sinkName)", &connection)
        server.kill()
        hasEnded.open()
        #expect(service.wait { $0.errorsSoFar.contains("; playing on null\n") })
        #expect(service.wait { _ in run.status("{state} {speed}") == "playing 0.5" })
        #expect(try position(service, &connection) >= 5)
        awaitNext(2, service, &connection)
        run.end(service)
        let start = "earshot: cannot play on pulse:\(PulseServer.sinkName): "
        #expect(service.errorsSoFar.split(separator: "\n").count { $0.hasPrefix(start) } == 1)
        #expect(!service.errorsSoFar.contains("sound output"), "\(service.errorsSoFar)")
        // The output that could not be opened is not remembered.
        #expect(run.library.earshot.scratch.read("earshot/sound") == [])
    }

    /// Serves "/slow" to each player from now on when the sound server or the device has ended.
    /// - Returns: the gate to open then.
    private func holdBytes() -> Gate {
        let hasEnded = Gate()
        run.library.server.handle("/slow") { _, _ in
            hasEnded.pass()
            return DemoEpisodes.episode(2)
        }
        return hasEnded
    }

    @Test("A waiting `play` beside the service plays on the former output if the new one cannot be opened")
    func joinedDeadOutput() throws {
        let web = run.library.server
        web.serve("/slow", DemoEpisodes.episode(2).with { $0.latency = .seconds(3600) })
        let service = try run.serve(["--output", "null"], environment)
        var connection = try run.connect(to: "player")
        let client = try run.library.earshot.start(
            ["play", web.url("/slow"), "--json"], environment: run.environment, limit: TimeLimit.event)
        #expect(service.wait { _ in web.requests(for: "/slow").count > 0 })
        let hasEnded = holdBytes()
        try change(to: "pulse:\(PulseServer.sinkName)", &connection)
        server.kill()
        hasEnded.open()
        #expect(client.wait { $0.outputSoFar.contains(#""phase":"begin""#) })
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        let outcome = client.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.wait { $0.errorsSoFar.contains("; playing on null\n") }, "\(service.errorsSoFar)")
        run.end(service)
    }

    @Test("After the return to an output that nobody chose, the service still uses the remembered or the default one")
    func unchosenOutput() throws {
        let web = run.library.server
        web.serve("/slow", DemoEpisodes.episode(2))
        #expect(try run.run("settings", "set", "remember", "both").status == 0)
        let module = try server.addSink("headphones")
        let service = try run.serve([], environment)
        var connection = try run.connect(to: "player")
        try run.play([web.url("/slow")], on: service, &connection)
        let hasEnded = holdBytes()
        try change(to: "pulse:headphones", &connection)
        try server.control("unload-module", module)
        hasEnded.open()
        awaitReturnToDefault(service)
    }

    @Test("An output that another change replaces before anything sounds on it is not remembered")
    func replacedOutput() throws {
        let web = run.library.server
        web.serve("/slow", DemoEpisodes.episode(2))
        #expect(try run.run("settings", "set", "remember", "output").status == 0)
        _ = try server.addSink("speakers")
        let module = try server.addSink("headphones")
        let service = try run.serve([], environment)
        var connection = try run.connect(to: "player")
        try run.play([web.url("/slow")], on: service, &connection)
        let hasEnded = holdBytes()
        let count = web.requests(for: "/slow").count
        try change(to: "pulse:speakers", &connection)
        #expect(service.wait { _ in web.requests(for: "/slow").count > count })
        try change(to: "pulse:headphones", &connection)
        try server.control("unload-module", module)
        hasEnded.open()
        awaitReturnToDefault(service)
    }

    /// Waits until the service plays on the default output again, and checks that it has remembered none.
    private func awaitReturnToDefault(_ service: ProgramRun) {
        #expect(service.wait { $0.errorsSoFar.contains("; playing on pulse\n") })
        #expect(service.wait { _ in run.status("{state}") == "playing" && !run.record.contains("output ") })
        run.end(service)
        #expect(run.library.earshot.scratch.read("earshot/sound") == [])
    }

    @Test("If the sound server ends directly after a change to it, playback continues with the list where it was")
    func lostServer() throws {
        #expect(try run.run("mark", "played", "2").status == 0)
        let service = try run.library.earshot.start(
            ["serve", "--output", "null"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        var connection = try run.connect(to: "player")
        try run.play(["2", "3"], from: "5", on: service, &connection)
        _ = try connection.call(.speed, [.init("to", .string("0.5"))], within: ServiceRun.limit)
        try change(to: "pulse:\(PulseServer.sinkName)", &connection)
        server.kill()
        // If the next player had opened the output already, it waits for its return.
        #expect(service.wait { $0.errorsSoFar.contains("; playing on null") || run.status("{state}") == "noDevice" })
        _ = try server.restart()
        #expect(service.wait { _ in ["idle", "playing"].contains(run.status("{state}")) })
        _ = try connection.call(.play, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {title} {speed}") == "playing Part 2 0.5" })
        #expect(try position(service, &connection) >= 5)
        awaitNext(titled: "Part 3", service, &connection)
        run.end(service)
    }
}
