// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

/// The lists that a service plays after a change of the output.
extension ServiceOutputTests {
    private func play(smart name: String, _ connection: inout ControlConnection) throws {
        _ = try connection.call(.play, [.init("smart", .string(name))], within: ServiceRun.limit)
    }

    /// Waits until an item follows the current one.
    func awaitNext(titled title: String, _ service: ProgramRun, _ connection: inout ControlConnection) {
        #expect(
            service.wait { _ in
                let status = try? connection.call(.status, within: ServiceRun.limit)
                return status?["next"]?["title"]?.string == title
            })
    }

    @Test("Commands directly before a change of the output apply on the next one")
    func lastCommands() throws {
        run.library.server.serve("/part2.mp3", FaultScript(body: MP3Builder.twoMinutes))
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        try run.play(["2"], on: service, &connection)
        for round in 1...4 {
            // First, so that the position stays the target of the seek.
            _ = try connection.call(.pause, within: ServiceRun.limit)
            _ = try connection.call(.seek, [.init("to", .string("\(round + 4)"))], within: ServiceRun.limit)
            _ = try connection.call(.speed, [.init("to", .string("0.\(round + 5)"))], within: ServiceRun.limit)
            try change(to: "null", until: "paused", of: service, &connection)
            let expected = "paused Part 2 0.\(round + 5) 0:0\(round + 4)"
            #expect(service.wait { _ in run.status("{state} {title} {speed} {position}") == expected })
            _ = try connection.call(.play, within: ServiceRun.limit)
            try change(to: "null", until: "playing", of: service, &connection)
            #expect(run.status("{state} {speed}") == "playing 0.\(round + 5)")
        }
        run.end(service)
    }

    @Test("A seek before the player has the item applies on the next output")
    func earlySeek() throws {
        let server = run.library.server
        server.serve("/slow", DemoEpisodes.episode(2).with { $0.latency = .seconds(3600) })
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let client = try run.library.earshot.start(
            ["play", server.url("/slow"), "--json"], environment: run.environment, limit: TimeLimit.event)
        defer { client.signal(SIGKILL) }
        #expect(service.wait { _ in server.requests(for: "/slow").count > 0 })
        _ = try connection.call(.pause, within: ServiceRun.limit)
        _ = try connection.call(.seek, [.init("to", .string("7"))], within: ServiceRun.limit)
        server.serve("/slow", DemoEpisodes.episode(2))
        try change(to: "null", &connection)
        #expect(service.wait { _ in run.status("{state} {position}") == "paused 0:07" })
        run.end(service)
    }

    @Test("An episode that was skipped does not play again after a change of the output")
    func skipped() throws {
        #expect(try run.run("smart", "create", "tales", "--podcast", "harbour").status == 0)
        #expect(try run.run("mark", "played", "3").status == 0)
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        try play(smart: "tales", &connection)
        awaitNext(titled: "Part 2", service, &connection)
        _ = try connection.call(.next, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {title}") == "playing Part 2" })
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state}") == "paused" })
        try change(to: "null", until: "paused", of: service, &connection)
        #expect(service.wait { _ in run.record.contains("target 2\npassed 1\n") })
        #expect(try run.run("mark", "unplayed", "3").status == 0)
        awaitNext(titled: "Part 3", service, &connection)
        run.end(service)
    }

    @Test("An item continues on the other output while a target with a choice of episodes is still resolved")
    func resolving() throws {
        let server = run.library.server
        server.serve("/slow", DemoEpisodes.episode(3).with { $0.latency = .seconds(3600) })
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let client = try run.library.earshot.start(
            ["play", "--episode", "all", "harbour", server.url("/slow"), "--json"], environment: run.environment,
            limit: TimeLimit.event)
        defer { client.signal(SIGKILL) }
        awaitNext(titled: "Part 2", service, &connection)
        _ = try connection.call(.next, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {title}") == "playing Part 2" })
        #expect(service.wait { _ in server.requests(for: "/slow").count == 1 })
        try change(to: "null", until: "playing", of: service, &connection)
        #expect(run.status("{title}") == "Part 2")
        #expect(service.wait { _ in server.requests(for: "/slow").count == 2 })
        run.end(service)
    }

    @Test("The items of a smart queue that is added to another one stay, also after a change of the output")
    func addedList() throws {
        let latest = ["smart", "create", "latest", "--podcast", "harbour", "--newest-first", "--limit", "2"]
        #expect(try run.library.earshot.run(latest, environment: run.environment).status == 0)
        #expect(try run.run("smart", "create", "first", "--podcast", "harbour", "--limit", "1").status == 0)
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        try play(smart: "first", &connection)
        #expect(service.wait { _ in run.status("{state} {title}") == "playing Part 1" })
        try play(smart: "latest", &connection)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(service.wait { _ in run.record.contains("target 3\ntarget 2\n") })
        #expect(run.record.contains("smart first\n"))
        // A change of the library makes the playlist follow its list.
        #expect(try run.run("queue", "add", "1").status == 0)
        try change(to: "null", until: "paused", of: service, &connection)
        awaitNext(titled: "Part 2", service, &connection)
        _ = try connection.call(.next, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{title}") == "Part 2" })
        awaitNext(titled: "Part 1", service, &connection)
        run.end(service)
    }
}
