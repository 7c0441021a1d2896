// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("Downloads through the control socket")
struct ControlDownloadTests {
    private static let limit = Duration.seconds(60)
    private let library: FeedRun
    private let environment: [String: String]

    init() throws {
        library = try FeedRun()
        let folder = library.earshot.scratch.path
        environment = library.environment.merging(["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder]) { $1 }
        try library.subscribe()
    }

    private func serve() throws -> ProgramRun {
        let service = try library.earshot.start(
            ["serve", "--output", "null"], environment: environment, limit: TimeLimit.event)
        #expect(
            service.wait { _ in
                let status = try? library.earshot.run(["status", "--json"], environment: environment)
                return status?.outputText.contains("state") ?? false
            })
        return service
    }

    private func connect() throws -> ControlConnection {
        try ControlConnection(to: RuntimeFolder.open(environment: environment, creates: false), within: Self.limit)
    }

    private func downloads(
        _ connection: inout ControlConnection, _ method: MethodName, _ names: String...
    ) throws -> [JSONValue] {
        let parameters: [JSONValue.Member] =
            names.isEmpty ? [] : [.init("names", .array(names.map(JSONValue.string)))]
        return try connection.call(method, parameters, within: Self.limit)["downloads"]?.elements ?? []
    }

    @Test("A client starts a download, receives its events, and moves the file to the trash")
    func lifetime() throws {
        let service = try serve()
        var connection = try connect()
        let topics = JSONValue.array([.string("downloads")])
        _ = try connection.call(.subscribe, [.init("topics", topics)], within: Self.limit)
        let added = try downloads(&connection, .downloadsAdd, "1")
        #expect(added.map { $0["episode"]?.integer } == [1])

        var phases: [String] = []
        while phases.last != "end", phases.last != "failed", let event = try connection.nextEvent(within: Self.limit) {
            if event["event"]?.string == "download", let phase = event["phase"]?.string { phases.append(phase) }
        }
        #expect(phases == ["begin", "end"])
        #expect(try downloads(&connection, .downloadsList).map { $0["state"]?.string } == ["complete"])
        #expect(library.kept.count == 1)

        #expect(try downloads(&connection, .downloadsRemove, "1").isEmpty)
        #expect(library.kept.isEmpty && library.trash.count == 1)
        #expect(throws: ControlConnection.Failure.self) { try downloads(&connection, .downloadsRemove, "1") }
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }
}
