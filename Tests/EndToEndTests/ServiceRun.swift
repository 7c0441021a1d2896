// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

/// `earshot serve` with a library of three episodes, and clients of its control socket.
struct ServiceRun {
    static let limit = TimeLimit.event
    let library: FeedRun
    let environment: [String: String]

    init() throws {
        library = try FeedRun()
        let folder = library.earshot.scratch.path
        environment = library.environment.merging(["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder]) { $1 }
        try library.subscribe()
    }

    func run(_ arguments: String...) throws -> ProgramRun.Outcome {
        try library.earshot.run(arguments, environment: environment)
    }

    func status(_ format: String) -> String { library.earshot.status(format, environment: environment) }

    /// The record of the player.
    var record: String { String(decoding: library.earshot.scratch.read("earshot/deck"), as: UTF8.self) }

    /// Starts the service and waits until it answers.
    func serve(_ options: [String] = ["--output", "null"], _ variables: [String: String] = [:]) throws -> ProgramRun {
        let service = try library.earshot.start(
            ["serve"] + options, environment: environment.merging(variables) { $1 }, limit: TimeLimit.event)
        #expect(service.wait { _ in (try? run("status", "--json"))?.outputText.contains("state") ?? false })
        return service
    }

    /// Connects a client that receives the events of a topic.
    func connect(to topic: String) throws -> ControlConnection {
        var connection = try ControlConnection(
            to: RuntimeFolder.open(environment: environment, creates: false), within: Self.limit)
        let topics = JSONValue.array([.string(topic)])
        _ = try connection.call(.subscribe, [.init("topics", topics)], within: Self.limit)
        return connection
    }

    /// Plays targets, the first of them from a position, and waits until they play.
    func play(
        _ targets: [String], from position: String? = nil, on service: ProgramRun, _ connection: inout ControlConnection
    ) throws {
        var parameters = [JSONValue.Member("targets", .array(targets.map(JSONValue.string)))]
        if let position { parameters.append(.init("from", .string(position))) }
        _ = try connection.call(.play, parameters, within: Self.limit)
        #expect(service.wait { _ in status("{state}") == "playing" })
    }

    /// Waits until the next player replaces the one that stops after a change of the output. The service refuses
    /// commands until then.
    func awaitNextPlayer(_ service: ProgramRun, _ connection: inout ControlConnection) {
        #expect(
            service.wait { _ in
                // A command without an effect.
                guard let mode = (try? connection.call(.status, within: Self.limit))?["repeat"] else { return false }
                return (try? connection.call(.repeatMode, [.init("mode", mode)], within: Self.limit)) != nil
            })
    }

    func end(_ service: ProgramRun) {
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }
}

extension MP3Builder {
    /// A silent file of two minutes, which lasts longer than several services need to start on a busy machine.
    static var twoMinutes: [UInt8] {
        var builder = MP3Builder(Format(.mpeg2, sampleRate: 24000, kilobits: 64, isMono: true))
        builder.addFrames(5000)
        return builder.bytes
    }
}
