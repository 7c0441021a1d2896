// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Media
import Testing

@Suite("Library changes through the control socket")
struct ControlLibraryTests {
    private let run: ServiceRun

    init() throws { run = try ServiceRun() }

    private func downloads(
        _ connection: inout ControlConnection, _ method: MethodName, _ names: String...
    ) throws -> [JSONValue] {
        let parameters: [JSONValue.Member] =
            names.isEmpty ? [] : [.init("names", .array(names.map(JSONValue.string)))]
        return try connection.call(method, parameters, within: ServiceRun.limit)["downloads"]?.elements ?? []
    }

    @Test("A client starts a download, receives its events, and moves the file to the trash")
    func download() throws {
        let service = try run.serve()
        var connection = try run.connect(to: "downloads")
        let added = try downloads(&connection, .downloadsAdd, "1")
        #expect(added.map { $0["episode"]?.integer } == [1])

        var phases: [String] = []
        while phases.last != "end", phases.last != "failed",
            let event = try connection.nextEvent(within: ServiceRun.limit)
        {
            if event["event"]?.string == "download", let phase = event["phase"]?.string { phases.append(phase) }
        }
        #expect(phases == ["begin", "end"])
        #expect(try downloads(&connection, .downloadsList).map { $0["state"]?.string } == ["complete"])
        #expect(run.library.kept.count == 1)

        #expect(try downloads(&connection, .downloadsRemove, "1").isEmpty)
        #expect(run.library.kept.isEmpty && run.library.trash.count == 1)
        #expect(throws: ControlConnection.Failure.self) { try downloads(&connection, .downloadsRemove, "1") }
        run.end(service)
    }

    @Test("An episode that a client adds during its removal is downloaded")
    func downloadAgain() async throws {
        let server = run.library.server
        server.serve("/part1.mp3", DemoEpisodes.episode(1).with { $0.latency = .seconds(3600) })
        let service = try run.serve()
        var connection = try run.connect(to: "downloads")
        _ = try downloads(&connection, .downloadsAdd, "1")
        #expect(service.wait { _ in !server.requests(for: "/part1.mp3").isEmpty })
        let before = server.requests(for: "/part1.mp3").count

        let link = ControlLink.start(connection, receive: { _ in }, ended: { _ in })
        link?.call(.downloadsRemove, [names("1")]) { _ in }
        let added = try await link?.call(.downloadsAdd, [names("1")])
        #expect(added?["downloads"]?.elements?.map { $0["episode"]?.integer } == [1])
        #expect(service.wait { _ in server.requests(for: "/part1.mp3").count > before })
        let list = try await link?.call(.downloadsList)
        #expect(list?["downloads"]?.elements?.map { $0["episode"]?.integer } == [1])
        link?.close()
        run.end(service)
    }

    @Test("When an episode is played to its end, clients get the queue without it")
    func playedEpisode() throws {
        let service = try run.serve()
        #expect(try run.run("queue", "add", "1", "2").status == 0)
        var connection = try run.connect(to: "queue")
        let play = try run.library.earshot.start(
            ["play", "1", "--from", "90%"], environment: run.environment, limit: TimeLimit.event)
        var queue: [Int64]?
        while queue != [2], let event = try connection.nextEvent(within: ServiceRun.limit) {
            guard event["event"]?.string == "queue" else { continue }
            queue = event["episodes"]?.elements?.compactMap(\.integer)
        }
        #expect(queue == [2])
        #expect(play.wait().status == 0)
        run.end(service)
    }

    private func awaitEvent(_ name: String, _ connection: inout ControlConnection) throws -> Bool {
        while let event = try connection.nextEvent(within: ServiceRun.limit) {
            if event["event"]?.string == name { return true }
        }
        return false
    }

    @Test("A service that started without the folder of the library learns of a subscription and of a refresh")
    func laterLibrary() throws {
        let folder = ["XDG_DATA_HOME": run.library.earshot.scratch.path("later")]
        let environment = run.environment.merging(folder) { $1 }
        let service = try run.serve(["--output", "null"], folder)
        var connection = try run.connect(to: "queue")
        let address = run.library.server.url("/feed")
        #expect(try run.library.earshot.run(["subscribe", address], environment: environment).status == 0)
        let hasQueue = try awaitEvent("queue", &connection)
        connection = try run.connect(to: "library")
        run.library.serve(ServedFeed("Harbour Tales", [.named("Fog", day: 9)]))
        #expect(try run.library.earshot.run(["refresh", "--no-download"], environment: environment).status == 0)
        let hasLibrary = try awaitEvent("library", &connection)
        #expect(hasQueue && hasLibrary)
        run.end(service)
    }

    /// Returns the episodes of the queue in the reply to a request.
    private func queue(
        _ connection: inout ControlConnection, _ method: MethodName, _ parameters: JSONValue.Member...
    ) throws -> [Int64] {
        let result = try connection.call(method, parameters, within: ServiceRun.limit)
        return result["queue"]?.elements?.compactMap { $0["id"]?.integer } ?? []
    }

    private func names(_ names: String...) -> JSONValue.Member {
        .init("names", .array(names.map(JSONValue.string)))
    }

    @Test("A client adds, moves and removes episodes of the queue, and each reply contains the queue")
    func queueMethods() throws {
        let service = try run.serve()
        var connection = try run.connect(to: "queue")
        #expect(try queue(&connection, .queueList).isEmpty)
        #expect(try queue(&connection, .queueAdd, names("1", "Part 2")) == [1, 2])
        // An episode that is in the queue keeps its place, unless the client asks for the first.
        #expect(try queue(&connection, .queueAdd, names("1", "3")) == [1, 2, 3])
        #expect(try queue(&connection, .queueAdd, names("3"), .init("first", .bool(true))) == [3, 1, 2])
        #expect(try queue(&connection, .queueMove, .init("name", .string("2")), .init("to", .integer(1))) == [2, 3, 1])
        #expect(try queue(&connection, .queueRemove, names("3")) == [2, 1])
        #expect(throws: ControlConnection.Failure.self) { try queue(&connection, .queueRemove, names("3")) }
        #expect(throws: ControlConnection.Failure.self) { try queue(&connection, .queueAdd, names("no such title")) }
        #expect(try queue(&connection, .queueList) == [2, 1])
        #expect(try run.library.json("queue").numbers("id") == [2, 1])
        #expect(try queue(&connection, .queueClear).isEmpty)
        #expect(try queue(&connection, .queueClear).isEmpty)
        run.end(service)
    }
}
