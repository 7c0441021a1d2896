// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EarshotTestSupport
import Media
import Testing

@testable import ControlSocket

@Suite("Settings that change during playback")
struct ServiceSettingTests {
    private let stage: ServiceRun

    init() throws { stage = try ServiceRun() }

    @Test("The speed that is set for a podcast applies to the item that plays and to the next one")
    func changed() throws {
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        try stage.play(["1", "2"], on: service, &connection)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(try stage.run("settings", "set", "speed", "1.5", "--podcast", "harbour").status == 0)
        #expect(service.wait { _ in speed == 1.5 })
        _ = try connection.call(.next, within: ServiceRun.limit)
        #expect(service.wait { _ in stage.status("{title}") == "Part 2" && speed == 1.5 })

        // A speed that the listener chose stays until playback stops.
        #expect(try stage.run("speed", "0.8").status == 0)
        #expect(try stage.run("settings", "set", "trim-silence", "mild", "--podcast", "harbour").status == 0)
        #expect(service.wait { _ in status["trimSilence"]?.string == "mild" })
        #expect(speed == 0.8)
        stage.end(service)
    }

    @Test("A speed that is set applies to the item that plays with --here")
    func here() throws {
        let play = try stage.library.earshot.start(
            ["play", "1", "--here", "--output", "null", "--commands", "-", "--json"], environment: stage.environment,
            keepsInput: true, limit: TimeLimit.event)
        play.write("pause\n")
        #expect(play.wait { $0.outputSoFar.contains(#""state":"paused""#) })
        #expect(try stage.run("settings", "set", "speed", "1.5").status == 0)
        #expect(play.wait { $0.outputSoFar.contains(#""speed":1.5"#) })
        play.write("quit\n")
        #expect(play.wait().status == 0)
    }

    private var speed: Double? { status["speed"]?.double }

    private var status: JSONValue {
        (try? JSONValue(parsing: (try? stage.run("status", "--json"))?.outputText ?? "")) ?? .null
    }
}
