// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Media
import Testing

@Suite("Changing the output of a service", .enabled(if: ProgramRun.isInstalled("/usr/bin/pulseaudio")))
struct ServiceOutputTests {
    let run: ServiceRun
    let server: PulseServer
    let environment: [String: String]

    init() throws {
        (run, server) = (try ServiceRun(), try PulseServer())
        environment = run.environment.merging(["PULSE_SERVER": server.address]) { $1 }
    }

    func change(to output: String, _ connection: inout ControlConnection) throws {
        _ = try connection.call(.output, [.init("to", .string(output))], within: ServiceRun.limit)
    }

    /// Changes the output and waits until the next player is in a state.
    func change(
        to output: String, until state: String, of service: ProgramRun, _ connection: inout ControlConnection
    ) throws {
        try change(to: output, &connection)
        // The former player may reach the state as well.
        run.awaitNextPlayer(service, &connection)
        #expect(service.wait { _ in run.status("{state}") == state })
    }

    @Test("Playback continues on the other output where it was, and stays paused if it was")
    func continues() throws {
        run.library.server.serve("/part2.mp3", FaultScript(body: MP3Builder.twoMinutes))
        let service = try run.library.earshot.start(
            ["serve", "--output", "null"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        var connection = try run.connect(to: "player")
        try run.play(["2"], from: "5", on: service, &connection)
        try change(to: "pulse:\(PulseServer.sinkName)", until: "playing", of: service, &connection)
        #expect(run.status("{state} {title}") == "playing Part 2")
        #expect(try position(service, &connection) >= 5)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state}") == "paused" })
        let place = try position(service, &connection)
        try change(to: "null", until: "paused", of: service, &connection)
        #expect(run.status("{state} {title}") == "paused Part 2")
        _ = try connection.call(.toggle, within: ServiceRun.limit)
        #expect(try position(service, &connection) > place - 0.5)
        #expect(throws: ControlConnection.Failure.self) { try change(to: "wav:out.wav", &connection) }
        run.end(service)
    }

    @Test("A played episode that has just been started again continues where it was")
    func playedAgain() throws {
        #expect(try run.run("mark", "played", "2").status == 0)
        let service = try run.library.earshot.start(
            ["serve", "--output", "null"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        var connection = try run.connect(to: "player")
        try run.play(["2"], on: service, &connection)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        _ = try connection.call(.seek, [.init("to", .string("5"))], within: ServiceRun.limit)
        #expect(
            service.wait { _ in
                let status = try? connection.call(.status, within: ServiceRun.limit)
                return status?["state"]?.string == "paused" && status?["position"]?.double == 5
            })
        try change(to: "pulse:\(PulseServer.sinkName)", until: "paused", of: service, &connection)
        _ = try connection.call(.toggle, within: ServiceRun.limit)
        #expect(try position(service, &connection) >= 5)
        run.end(service)
    }

    @Test("`play` beside the service follows its items to the other output, and ends with the last one")
    func joined() throws {
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let client = try run.library.earshot.start(
            ["play", "2", "3", "--json"], environment: run.environment, limit: TimeLimit.event)
        #expect(client.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        try change(to: "null", until: "playing", of: service, &connection)
        #expect(client.wait { $0.outputSoFar.split(separator: #""phase":"begin""#).count == 3 })
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        #expect(client.wait { $0.outputSoFar.split(separator: #""phase":"begin""#).count == 4 })
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        let outcome = client.wait()
        let tracks = try begunTracks(outcome)
        #expect(outcome.status == 0 && tracks == [1, 1, 2])
        #expect(try !outcome.events().named("state").contains { $0["state"] == .string("idle") })
        run.end(service)
    }

    @Test("`play` beside the service keeps its items if the output changes again before a player has all of them")
    func joinedSoon() throws {
        let server = run.library.server
        server.serve("/slow", DemoEpisodes.episode(3))
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let client = try run.library.earshot.start(
            ["play", "2", server.url("/slow"), "--speed", "0.5", "--json"], environment: run.environment,
            limit: TimeLimit.event)
        awaitBegins(1, client)
        awaitNext(2, service, &connection)
        try change(requesting: "/slow", of: service, &connection)
        awaitBegins(2, client)
        server.serve("/slow", DemoEpisodes.episode(3))
        try change(to: "null", &connection)
        awaitBegins(3, client)
        awaitNext(2, service, &connection)
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        awaitBegins(4, client)
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        let outcome = client.wait()
        let tracks = try begunTracks(outcome)
        #expect(outcome.status == 0 && tracks == [1, 1, 1, 2], "\(outcome.errors)")
        run.end(service)
    }

    @Test("`play` beside the service follows its items if the output changes while it still reads a target")
    func joinedEarly() throws {
        let server = run.library.server
        server.serve("/slow", DemoEpisodes.episode(3).with { $0.latency = .seconds(3600) })
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let client = try run.library.earshot.start(
            ["play", "2", server.url("/slow"), "--json"], environment: run.environment, limit: TimeLimit.event)
        awaitBegins(1, client)
        #expect(service.wait { _ in server.requests(for: "/slow").count > 0 })
        _ = try connection.call(.speed, [.init("to", .string("0.5"))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{speed}") == "0.5" })
        server.serve("/slow", DemoEpisodes.episode(3))
        try change(to: "null", &connection)
        awaitBegins(2, client)
        awaitNext(2, service, &connection)
        #expect(run.status("{speed}") == "0.5")
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        awaitBegins(3, client)
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        let outcome = client.wait()
        let tracks = try begunTracks(outcome)
        #expect(outcome.status == 0 && tracks == [1, 1, 2], "\(outcome.errors)")
        run.end(service)
    }

    @Test("A client whose items a player did not get before the output changed gets a failure for each of them")
    func addedEarly() throws {
        let server = run.library.server
        server.serve("/slow", DemoEpisodes.episode(3).with { $0.latency = .seconds(3600) })
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        _ = try connection.call(.play, [.init("targets", .array([.string("2")]))], within: ServiceRun.limit)
        // A client that joins before this event also reports it.
        while let event = try connection.nextEvent(within: ServiceRun.limit), event["phase"]?.string != "begin" {}
        let clients = try [["3", server.url("/slow")], [server.url("/slow")]].map { targets in
            try run.library.earshot.start(
                ["play"] + targets + ["--json"], environment: run.environment, limit: TimeLimit.event)
        }
        awaitBegins(1, clients[0])
        #expect(service.wait { _ in server.requests(for: "/slow").count == 2 })
        try change(to: "null", &connection)
        #expect(clients[1].wait().status == 75)
        awaitBegins(2, clients[0])
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        let outcome = clients[0].wait()
        let tracks = try begunTracks(outcome)
        #expect(outcome.status == 75 && tracks.prefix(2) == [2, 2], "\(tracks) \(outcome.errors)")
        run.end(service)
    }

    /// Returns the tracks whose starts a client has reported.
    private func begunTracks(_ outcome: ProgramRun.Outcome) throws -> [Int] {
        try outcome.events().named("track").filter { $0["phase"] == .string("begin") }.numbers("track")
    }

    /// Waits until a client has reported the starts of items.
    private func awaitBegins(_ count: Int, _ client: ProgramRun) {
        #expect(client.wait { $0.outputSoFar.split(separator: #""phase":"begin""#).count == count + 1 })
    }

    /// Waits until an item follows the current one.
    func awaitNext(_ item: Int64, _ service: ProgramRun, _ connection: inout ControlConnection) {
        var status: JSONValue?
        let isNext = service.wait { _ in
            status = try? connection.call(.status, within: ServiceRun.limit)
            return status?["next"]?["id"]?.integer == item
        }
        #expect(isNext, "\(String(describing: status))")
    }

    /// Changes the output and waits until the next player has requested an address, which the server answers after the
    /// test.
    private func change(requesting path: String, of service: ProgramRun, _ connection: inout ControlConnection) throws {
        let server = run.library.server
        let count = server.requests(for: path).count
        server.serve(path, DemoEpisodes.episode(2).with { $0.latency = .seconds(3600) })
        try change(to: "null", &connection)
        #expect(service.wait { _ in server.requests(for: path).count > count })
    }

    @Test("A pause, the speed and the item survive changes of the output before the next player has the item")
    func changedSoon() throws {
        let server = run.library.server
        server.serve("/slow", DemoEpisodes.episode(2))
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let play = [JSONValue.Member("targets", .array([.string(server.url("/slow"))]))]
        _ = try connection.call(.play, play, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state}") == "playing" })
        _ = try connection.call(.speed, [.init("to", .string("1.5"))], within: ServiceRun.limit)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {speed}") == "paused 1.5" })
        for _ in 0..<2 {
            try change(requesting: "/slow", of: service, &connection)
            let status = try connection.call(.status, within: ServiceRun.limit)
            #expect(status["state"]?.string == "paused" && status["item"]?["id"]?.integer == 1)
        }
        for (method, state) in [(MethodName.toggle, "loading"), (.pause, "paused")] {
            _ = try connection.call(method, within: ServiceRun.limit)
            #expect(service.wait { _ in run.status("{state}") == state })
        }
        _ = try connection.call(.speed, [.init("to", .string("0.6"))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {speed}") == "paused 0.6" })
        server.serve("/slow", DemoEpisodes.episode(2))
        try change(to: "null", until: "paused", of: service, &connection)
        #expect(service.wait { _ in run.status("{state} {speed}") == "paused 0.6" })
        run.end(service)
    }

    @Test("Playback on a device that the sound server suspends continues on the other output")
    func suspended() throws {
        let service = try run.library.earshot.start(
            ["serve", "--output", "pulse:\(PulseServer.sinkName)"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        var connection = try run.connect(to: "player")
        try run.play(["2"], on: service, &connection)
        try server.control("suspend-sink", PulseServer.sinkName, "1")
        #expect(service.wait { _ in run.status("{state}") == "noDevice" })
        try change(to: "null", until: "playing", of: service, &connection)
        #expect(run.status("{state} {title}") == "playing Part 2")
        run.end(service)
    }

    /// Waits until the player knows its position after a start, and returns it.
    func position(_ service: ProgramRun, _ connection: inout ControlConnection) throws -> Double {
        var position: Double?
        #expect(
            service.wait { _ in
                position = (try? connection.call(.status, within: ServiceRun.limit))?["position"]?.double
                return position != nil
            })
        return try #require(position)
    }
}
