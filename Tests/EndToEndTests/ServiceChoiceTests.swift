// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import ControlSocket

@Suite("Choices of the listener at rest")
struct ServiceChoiceTests {
    private let stage: ServiceRun

    init() throws { stage = try ServiceRun() }

    /// Starts the service with the remembered output.
    private func serve() throws -> ProgramRun { try stage.serve([]) }

    @Test("What was chosen without a player survives the end of a service", arguments: [SIGTERM, SIGKILL])
    func choices(signal: CInt) throws {
        let first = try serve()
        #expect(try stage.run("volume", "40").status == 0)
        var connection = try stage.connect(to: "player")
        _ = try connection.call(.repeatMode, [.init("mode", .string("all"))], within: ServiceRun.limit)
        _ = try connection.call(.output, [.init("to", .string("null"))], within: ServiceRun.limit)
        let lines = ["repeat all\n", "output null\n"]
        #expect(first.wait { _ in lines.allSatisfy(stage.record.contains) && sound == "volume 40\n" })
        first.signal(signal)
        _ = first.wait()
        let second = try serve()
        #expect(sound == "volume 40\n")
        #expect(try stage.run("status", "--json").outputText.contains(#""repeat":"all""#))
        // Without a sound server, only the remembered output can play.
        #expect(try stage.run("play", DemoEpisodes.path(2), "--until", "0.5", "--repeat", "off").status == 0)
        second.signal(SIGTERM)
        #expect(second.wait().status == 0)
    }

    @Test("A volume that is chosen without a player is remembered for other playbacks")
    func volume() throws {
        let service = try serve()
        for percent in ["60", "100"] {
            #expect(try stage.run("volume", percent).status == 0)
            #expect(service.wait { _ in sound == "volume \(percent)\n" })
        }
        stage.end(service)
    }

    @Test("A volume that another process remembered is that of a service without a player")
    func otherVolume() throws {
        let first = try serve()
        #expect(try stage.run("volume", "60").status == 0)
        #expect(first.wait { _ in sound == "volume 60\n" })
        _ = try stage.library.earshot.scratch.write(Array("volume 30\n".utf8), to: "earshot/sound")
        #expect(try stage.run("volume", "-5").status == 0)
        #expect(stage.status("{volume}") == "25")
        stage.end(first)
        _ = try stage.library.earshot.scratch.write(Array("volume 80\n".utf8), to: "earshot/sound")
        let second = try serve()
        #expect(stage.status("{volume}") == "80")
        stage.end(second)
    }

    @Test("After a crash in a pause, the player resumes with its volume")
    func pausedVolume() throws {
        let first = try stage.serve()
        var connection = try stage.connect(to: "player")
        try stage.play(["2"], on: first, &connection)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        _ = try connection.call(.volume, [.init("percent", .integer(40))], within: ServiceRun.limit)
        #expect(first.wait { _ in stage.record.contains("volume 40\n") && stage.record.contains("playing no\n") })
        first.signal(SIGKILL)
        _ = first.wait()
        let second = try stage.serve()
        #expect(stage.status("{state} {volume}") == "idle 40")

        // A volume that is chosen at rest replaces it, also after another crash.
        #expect(try stage.run("volume", "30").status == 0)
        #expect(second.wait { _ in stage.record.contains("volume 30\n") })
        second.signal(SIGKILL)
        _ = second.wait()
        let third = try stage.serve()
        #expect(stage.status("{volume}") == "30")
        stage.end(third)
        #expect(stage.record.contains("open no\n"))
        let fourth = try stage.serve()
        #expect(stage.status("{volume}") == "100")
        stage.end(fourth)
    }

    private var sound: String {
        String(decoding: stage.library.earshot.scratch.read("earshot/sound"), as: UTF8.self)
    }

    @Test("Without a sound server, a service refuses to play, with the reason", arguments: ["resume", "toggle", "play"])
    func noSoundServer(command: String) throws {
        #expect(try stage.run("queue", "add", "2").status == 0)
        let missing = ["PULSE_SERVER": "unix:" + stage.library.earshot.scratch.path("none")]
        let service = try stage.serve([], missing)
        let outcome = try stage.run(command)
        #expect(outcome.status == 69 && outcome.sentences.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("sound output: a PulseAudio server does not answer"), "\(outcome.errors)")
        stage.end(service)
    }

    @Test("The record of a service has the order of its playlist, and the place in a paused file")
    func playlist() throws {
        let service = try stage.serve()
        let first = DemoEpisodes.path(2)
        var connection = try stage.connect(to: "player")
        let files = JSONValue.array([.string(first), .string(DemoEpisodes.path(1)), .string(DemoEpisodes.path(3))])
        _ = try connection.call(.play, [.init("targets", files)], within: ServiceRun.limit)
        #expect(service.wait { _ in targets == [first, DemoEpisodes.path(1), DemoEpisodes.path(3)] })
        #expect(service.wait { _ in follows(1) })
        try connection.stream.send(Array("pause\nmove 3 2\n".utf8), until: MonotonicTime.now + .seconds(60))
        #expect(service.wait { _ in targets == [first, DemoEpisodes.path(3), DemoEpisodes.path(1)] })
        try connection.stream.send(Array("remove 3\nseek 0:03\n".utf8), until: MonotonicTime.now + .seconds(60))
        #expect(
            service.wait { _ in
                targets == [first, DemoEpisodes.path(3)] && stage.record.contains("position 3000\n")
            })
        stage.end(service)
    }

    @Test("After a change of the output, a service follows its smart queue")
    func smartQueue() throws {
        let tales = ["smart", "create", "tales", "--podcast", "harbour", "--limit", "2"]
        #expect(try stage.library.earshot.run(tales, environment: stage.environment).status == 0)
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        _ = try connection.call(.play, [.init("smart", .string("tales"))], within: ServiceRun.limit)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(service.wait { _ in targets == ["1"] && stage.record.contains("smart tales\n") })
        #expect(stage.record.contains("queue no\n"))
        _ = try connection.call(.output, [.init("to", .string("null"))], within: ServiceRun.limit)
        #expect(service.wait { _ in nextTitle == "Part 2" })
        #expect(try stage.run("mark", "played", "2").status == 0)
        #expect(service.wait { _ in nextTitle == "Part 3" })
        stage.end(service)
    }

    @Test("The queue follows added targets, also if the output changes before all of them are resolved")
    func addedQueue() throws {
        #expect(try stage.run("queue", "add", "1").status == 0)
        let server = stage.library.server
        server.serve("/slow", DemoEpisodes.episode(3).with { $0.latency = .seconds(3600) })
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        _ = try connection.call(.play, [.init("targets", .array([.string("2")]))], within: ServiceRun.limit)
        #expect(service.wait { _ in stage.record.contains("target 2\n") })
        let adding = try stage.connect(to: "player")
        let targets = #"["3","\#(server.url("/slow"))"]"#
        let line = #"{"id":1000,"method":"player.play","params":{"targets":\#(targets),"queue":true}}"#
        try adding.stream.send(Array((line + "\n").utf8), until: MonotonicTime.now + ServiceRun.limit)
        #expect(service.wait { _ in server.requests(for: "/slow").count > 0 && stage.status("{title}") == "Part 3" })
        _ = try connection.call(.output, [.init("to", .string("null"))], within: ServiceRun.limit)
        #expect(service.wait { _ in stage.record.contains("queue yes\n") && stage.status("{title}") == "Part 3" })
        stage.end(service)
    }

    /// The title of the item that follows.
    private var nextTitle: String? {
        let status = (try? stage.run("status", "--json"))?.outputText ?? ""
        return (try? JSONValue(parsing: status))?["next"]?["title"]?.string
    }

    @Test("A service plays the queue to the end that a client gave, and its record has that end")
    func queueEnd() throws {
        for part in ["2", "3"] { #expect(try stage.run("queue", "add", part).status == 0) }
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        _ = try connection.call(.play, [.init("until", .string("5"))], within: ServiceRun.limit)
        #expect(service.wait { _ in targets == ["2", "3"] && stage.record.contains("queue no\n") })
        #expect(stage.record.contains("target 3\nuntil 5"), "\(stage.record)")
        stage.end(service)
    }

    /// Returns the next event with a name.
    private func next(_ name: String, _ connection: inout ControlConnection) throws -> JSONValue? {
        while let event = try connection.nextEvent(within: ServiceRun.limit) {
            if event["event"]?.string == name { return event }
        }
        return nil
    }

    @Test("Clients get the speed and the sleep timer when they change while playback is paused")
    func paused() throws {
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        let targets = JSONValue.array([.string(DemoEpisodes.path(6))])
        _ = try connection.call(.play, [.init("targets", targets)], within: ServiceRun.limit)
        #expect(service.wait { _ in stage.status("{state}") == "playing" })
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(service.wait { _ in stage.status("{state}") == "paused" })
        _ = try connection.call(.speed, [.init("to", .string("1.5"))], within: ServiceRun.limit)
        let sound = try next("sound", &connection)
        #expect(sound?["speed"]?.double == 1.5 && sound?["trimSilence"]?.string == "off")
        let client = connection.hello.client
        #expect(sound?["by"]?.string == client)
        for (timer, value) in [("episode", #"{"episodes":1}"#), ("off", "null")] {
            _ = try connection.call(.sleep, [.init("to", .string(timer))], within: ServiceRun.limit)
            let event = try next("sleepTimer", &connection)
            #expect(event?["sleep"]?.description == value)
        }
        stage.end(service)
    }

    @Test("The events of a request to play and of one to stop name the client")
    func causes() throws {
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        let client = connection.hello.client
        let targets = JSONValue.array([.string(DemoEpisodes.path(2))])
        _ = try connection.call(.play, [.init("targets", targets)], within: ServiceRun.limit)
        var state = try next("state", &connection)
        #expect(state?["by"]?.string == client && state?["cause"]?.integer != nil)
        // The events of the request come before those of the stop.
        while let event = try connection.nextEvent(within: ServiceRun.limit), event["phase"]?.string != "begin" {}
        _ = try connection.call(.stop, within: ServiceRun.limit)
        while state?["state"]?.string != "idle", state != nil { state = try next("state", &connection) }
        let track = try next("track", &connection)
        #expect(state?["by"]?.string == client && track?["by"]?.string == client && track?["track"] == .null)
        stage.end(service)
    }

    @Test("A request to play that fails is not the cause of later events")
    func failedCause() throws {
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        let targets = JSONValue.array([1, 2].map { .string(DemoEpisodes.path($0)) })
        _ = try connection.call(.play, [.init("targets", targets)], within: ServiceRun.limit)
        while let event = try connection.nextEvent(within: ServiceRun.limit), event["phase"]?.string != "begin" {}
        let missing = JSONValue.array([.string(stage.library.earshot.scratch.path("missing.mp3"))])
        #expect(throws: ControlConnection.Failure.self) {
            try connection.call(.play, [.init("targets", missing)], within: ServiceRun.limit)
        }
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
        let track = try next("track", &connection)
        #expect(track?["phase"]?.string == "end" && track?["by"]?.string == nil)
        stage.end(service)
    }

    @Test("`remove` and `move` of `play` beside the service use the positions of its own items")
    func ownPositions() throws {
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        let other = JSONValue.array([1, 2, 3].map { .string(DemoEpisodes.path($0)) })
        _ = try connection.call(.play, [.init("targets", other)], within: ServiceRun.limit)
        #expect(service.wait { _ in targets.count == 3 })
        _ = try connection.call(.pause, within: ServiceRun.limit)
        // The record also has items that the player has not got yet.
        #expect(service.wait { _ in (try? connection.call(.next, within: ServiceRun.limit)) != nil })
        #expect(service.wait { _ in targets == [2, 3].map(DemoEpisodes.path) })
        let client = try stage.library.earshot.start(
            ["play"] + [6, 5, 4].map(DemoEpisodes.path) + ["--repeat", "all", "--json", "--commands", "-"],
            environment: stage.environment, keepsInput: true, limit: TimeLimit.event)
        #expect(client.wait { $0.outputSoFar.contains(#""phase":"begin""#) })
        #expect(service.wait { _ in follows(5) })
        client.write("pause\nmove 3 2\nremove 3\nremove 3\n")
        #expect(client.wait { $0.outputSoFar.contains(#""error":"the playlist has no item #3""#) })
        #expect(
            service.wait { _ in targets.prefix(4) == ArraySlice([6, 4, 2, 3].map(DemoEpisodes.path)) },
            "\(client.outputSoFar) \(stage.record)")
        client.write("quit\n")
        #expect(client.wait().status == 0)
        stage.end(service)
    }

    /// Returns true if a demo episode follows the item that plays.
    private func follows(_ episode: Int) -> Bool {
        let status = (try? stage.run("status", "--json"))?.outputText.split(separator: #""next":"#).last ?? ""
        return status.contains("\"location\":\"\(DemoEpisodes.path(episode))\"")
    }

    private var targets: [String] {
        stage.record.split(separator: "\n").filter { $0.hasPrefix("target ") }.map { String($0.dropFirst(7)) }
    }
}
