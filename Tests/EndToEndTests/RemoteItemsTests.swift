// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("The items of `play` beside a service")
struct RemoteItemsTests {
    private let run: ServiceRun

    init() throws { run = try ServiceRun() }

    private func start(_ arguments: String...) throws -> ProgramRun {
        try run.library.earshot.start(
            ["play"] + arguments + ["--json"], environment: run.environment, limit: TimeLimit.event)
    }

    /// Waits until a client has reported the starts of items.
    private func awaitBegins(_ count: Int, _ client: ProgramRun) {
        #expect(client.wait { $0.outputSoFar.split(separator: #""phase":"begin""#).count == count + 1 })
    }

    private func seekToEnd(_ connection: inout ControlConnection) throws {
        _ = try connection.call(.seek, [.init("to", .string("95%"))], within: ServiceRun.limit)
    }

    /// Returns the phases of the events `track`.
    private func phases(_ outcome: ProgramRun.Outcome) throws -> [String?] {
        try outcome.events().named("track").map { $0["phase"]?.text }
    }

    @Test("`play` stays while its item repeats, and ends with it when another client has turned that off")
    func repeated() throws {
        let service = try run.serve()
        let client = try start(DemoEpisodes.path(2), "--repeat", "one")
        #expect(service.wait { _ in run.status("{state} {repeat}") == "playing one" })
        var connection = try run.connect(to: "player")
        try seekToEnd(&connection)
        awaitBegins(2, client)
        _ = try connection.call(.repeatMode, [.init("mode", .string("off"))], within: ServiceRun.limit)
        try seekToEnd(&connection)
        let outcome = client.wait()
        let seen = try phases(outcome)
        #expect(outcome.status == 0 && seen == ["begin", "end", "begin", "end"])
        run.end(service)
    }

    @Test("`play` whose sleep timer ends with its episode says how to continue the interrupted one")
    func sleeps() throws {
        let service = try run.serve()
        let interrupted = try start("part 1")
        awaitBegins(1, interrupted)
        #expect(try run.run("pause").status == 0)
        let outcome = try run.run("play", "part 2", "--from", "75%", "--sleep", "episode")
        let sentence = "earshot: the sleep timer ended; \"earshot resume\" continues \"Part 1\"\n"
        #expect(outcome.status == 0 && outcome.errors.hasSuffix(sentence), "\(outcome.errors)")
        run.end(service)
        _ = interrupted.wait()
    }

    @Test("Lines of `--commands` wait for the episode that `play` names")
    func earlyLines() throws {
        let service = try run.serve()
        let first = try start("part 1")
        awaitBegins(1, first)
        let client = try run.library.earshot.start(
            ["play", "part 3", "--commands", "-"], environment: run.environment, keepsInput: true,
            limit: TimeLimit.event)
        // The first episode ends before 0:14.
        client.write("pause\nseek 0:14\n")
        #expect(service.wait { _ in run.status("{state} {title} {position}") == "paused Part 3 0:14" })
        client.write("quit\n")
        #expect(client.wait().status == 0)
        run.end(service)
        _ = first.wait()
    }

    @Test("The failed request of another client is neither reported by `play` nor its exit status")
    func foreignFailure() throws {
        let service = try run.serve()
        let client = try start("part 1")
        awaitBegins(1, client)
        let other = try run.run("play", "/nowhere.mp3")
        #expect(other.status == 66 && other.sentences.count == 1)
        var connection = try run.connect(to: "player")
        try seekToEnd(&connection)
        let outcome = client.wait()
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(try outcome.events().named("error").isEmpty)
        run.end(service)
    }

    @Test("The failed target of the process that plays is neither reported by `play` beside it nor its exit status")
    func ownersFailure() throws {
        let written = Gate()
        serveNothing(after: written)
        let owner = try start(DemoEpisodes.path(1), run.library.server.url("/nowhere"), "--output", "null")
        awaitBegins(1, owner)
        let client = try start("part 2")
        awaitBegins(1, client)
        written.open()
        #expect(owner.wait { $0.outputSoFar.contains("404") })
        var connection = try run.connect(to: "player")
        try seekToEnd(&connection)
        let outcome = client.wait()
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(try outcome.events().named("error").isEmpty)
        owner.signal(SIGTERM)
        _ = owner.wait()
    }

    /// Answers requests for `/nowhere` with the status 404 after a signal.
    private func serveNothing(after gate: Gate) {
        run.library.server.handle("/nowhere") { _, _ in
            gate.pass()
            return .status(404)
        }
    }

    @Test("Without an item, the lines of `--commands` are answered with the reason")
    func linesWithoutItem() throws {
        let service = try run.serve()
        let written = Gate()
        serveNothing(after: written)
        let client = try run.library.earshot.start(
            ["play", run.library.server.url("/nowhere"), "--commands", "-", "--json"], environment: run.environment,
            keepsInput: true, limit: TimeLimit.event)
        client.write("dance\nseek 0:14\n")
        // The first line is wrong, so its answer does not wait for the episode.
        #expect(client.wait { $0.outputSoFar.contains("dance") })
        written.open()
        let outcome = client.wait()
        let problems = try outcome.events().named("answer").map { $0["error"]?.text ?? "" }
        #expect(outcome.status == 66 && problems.count == 2, "\(problems)")
        #expect(problems.last?.contains("404") == true, "\(problems)")
        run.end(service)
    }

    /// Waits until the owner has named a number of items of the request that plays a list.
    private func awaitItems(_ count: Int, _ connection: inout ControlConnection) throws {
        var items: [JSONValue] = []
        while items.count != count, let event = try connection.nextEvent(within: ServiceRun.limit) {
            if event["event"]?.string == "items" { items = event["items"]?.elements ?? [] }
        }
        #expect(items.count == count)
    }

    @Test("`play` stays for an episode that enters the queue while it plays the queue")
    func queue() throws {
        #expect(try run.run("queue", "add", "1").status == 0)
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let client = try start()
        awaitBegins(1, client)
        #expect(try run.run("queue", "add", "2").status == 0)
        try awaitItems(2, &connection)
        try seekToEnd(&connection)
        awaitBegins(2, client)
        try seekToEnd(&connection)
        let outcome = client.wait()
        let seen = try phases(outcome)
        #expect(outcome.status == 0 && seen == ["begin", "end", "begin", "end"], "\(outcome.errors)")
        run.end(service)
    }

    @Test("`play --smart` stays for an episode that enters the smart queue because another one plays")
    func smartQueue() throws {
        #expect(try run.run("smart", "create", "tales", "--podcast", "harbour", "--limit", "2").status == 0)
        let service = try run.serve()
        var connection = try run.connect(to: "player")
        let client = try start("--smart", "tales")
        awaitBegins(1, client)
        try seekToEnd(&connection)
        try awaitItems(3, &connection)
        awaitBegins(2, client)
        try seekToEnd(&connection)
        awaitBegins(3, client)
        try seekToEnd(&connection)
        let outcome = client.wait()
        let seen = try phases(outcome)
        #expect(outcome.status == 0 && seen.count { $0 == "end" } == 3, "\(outcome.errors)")
        run.end(service)
    }
}
