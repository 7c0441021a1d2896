// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("Playback without a terminal")
struct ServeTests {
    private let library: LibraryRun
    private let environment: [String: String]

    init() throws {
        library = try LibraryRun()
        let folder = library.earshot.scratch.path
        environment = [
            "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": library.stage.directory.path,
        ]
    }

    private func run(_ arguments: String...) throws -> ProgramRun.Outcome {
        try library.earshot.run(arguments, environment: environment)
    }

    private func start(_ arguments: String..., input: Bool = false) throws -> ProgramRun {
        try library.earshot.start(arguments, environment: environment, keepsInput: input, limit: TimeLimit.event)
    }

    /// Starts a service and waits until it answers.
    private func serve() throws -> ProgramRun {
        let service = try start("serve", "--output", "null")
        #expect(service.wait { _ in (try? run("status", "--json"))?.outputText.contains("state") ?? false })
        return service
    }

    private func connect() throws -> ControlConnection {
        try ControlConnection(
            to: RuntimeFolder.open(environment: environment, creates: false), within: ServiceRun.limit)
    }

    private func state() throws -> String { try run("status", "--format", "{state} {title}").outputText }

    private func reaches(_ text: String, _ service: ProgramRun) -> Bool {
        service.wait { _ in (try? state())?.hasPrefix(text) ?? false }
    }

    @Test("A second service ends with status 75 and names the first")
    func second() throws {
        let service = try serve()
        let second = try run("serve", "--output", "null")
        #expect(second.status == 75 && second.errors.contains("already owns playback"))
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
        #expect(try run("status").status == 69)
    }

    @Test("`play` beside a service is its client: the sound outlives a closed terminal, and ends with `quit`")
    func client() throws {
        let service = try serve()
        let first = try start("play", DemoEpisodes.path(2), "--commands", "-", "--json", input: true)
        #expect(reaches("playing", service))
        first.signal(SIGHUP)
        #expect(first.wait().status == 129)
        #expect(try state().hasPrefix("playing"))
        let second = try start("play", DemoEpisodes.path(1), "--commands", "-", "--json", input: true)
        #expect(second.wait { $0.outputSoFar.contains("part1") })
        second.write("seek 2\nnoise\nquit\n")
        let outcome = second.wait()
        #expect(outcome.status == 0)
        let answers = try outcome.events().named("answer")
        #expect(answers.map { $0["command"]?.text } == ["seek 2", "noise", "quit"])
        #expect(answers.map { $0["ok"] } == [.bool(true), .bool(false), .bool(true)])
        #expect(reaches("idle", service))
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }

    @Test("`play` beside a service ends with its items, and reports a missing file with its status")
    func ends() throws {
        let service = try serve()
        #expect(try run("play", DemoEpisodes.path(2), "--until", "0.5").status == 0)
        let missing = try run("play", "/nowhere.mp3")
        #expect(missing.status == 66 && missing.sentences.count == 1)
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }

    @Test("A second `play` interrupts the first one, which continues and ends with its own item")
    func interruption() throws {
        let service = try serve()
        let first = try start("play", DemoEpisodes.path(2), "--json")
        #expect(first.wait { $0.outputSoFar.contains(#""phase":"begin""#) })
        #expect(try run("pause").status == 0)
        #expect(try run("play", DemoEpisodes.path(6), "--until", "0.5").status == 0)
        #expect(first.wait { $0.outputSoFar.split(separator: #""phase":"begin""#).count == 4 })
        #expect(try run("seek", "90%").status == 0)
        let outcome = first.wait()
        let events = try outcome.events().named("track")
        #expect(outcome.status == 0 && events.map { $0["phase"]?.text } == ["begin", "begin", "end", "begin", "end"])
        #expect(events.map { $0["count"]?.number } == [1, 2, 2, 2, 2])
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }

    @Test("Without a terminal, `play` beside a service ends when the connection is lost, as in its own process")
    func lostConnection() throws {
        let bytes = ScratchDirectory.bytes(of: DemoEpisodes.path(6))
        let stage = try FaultStage(first: bytes, second: bytes)
        let address = try #require(FaultScenario.named("drop-norange-300k")).begin(on: stage)
        let service = try serve()
        let outcome = try run("play", address, "--speed", "3.5")
        #expect(outcome.status == 69 && outcome.errors.contains("lost connection"))
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }

    @Test(
        "When the service is killed or terminated, its client says so and fails",
        arguments: [(SIGKILL, "ended unexpectedly"), (SIGTERM, "the process that played has ended")])
    func lost(signal: CInt, reason: String) throws {
        let service = try serve()
        let client = try start("play", DemoEpisodes.path(2))
        #expect(reaches("playing", service))
        service.signal(signal)
        _ = service.wait()
        let outcome = client.wait()
        #expect(outcome.status == 69 && outcome.errors.contains(reason))
    }

    @Test("After a crash, playback continues; after a second one, it is paused")
    func crash() throws {
        let first = try serve()
        #expect(try run("volume", "40").status == 0)
        let path = try library.earshot.scratch.write(MP3Builder.twoMinutes, to: "long.mp3")
        let client = try start("play", path, "--from", "1", "--until", "100.5")
        #expect(reaches("playing", first))
        // The record has the item as soon as it plays.
        #expect(first.wait { _ in record.contains("playing yes") })
        first.signal(SIGKILL)
        _ = (first.wait(), client.wait())
        let second = try serve()
        #expect(reaches("playing", second))
        #expect(try run("status", "--format", "{volume}").outputText == "40\n")
        #expect(record.contains("restarted"))
        second.signal(SIGKILL)
        _ = second.wait()
        let third = try serve()
        #expect(reaches("paused", third))
        #expect(try run("status", "--json").outputText.contains(#""end":100.5,"#))
        #expect(third.wait { $0.errorsSoFar.contains("unexpectedly twice") })
        third.signal(SIGTERM)
        #expect(third.wait().status == 0)
    }

    private var record: String {
        String(decoding: ScratchDirectory.bytes(of: library.earshot.scratch.path("earshot/deck")), as: UTF8.self)
    }

    @Test("`service.quit` with `idle` ends the service when its playback has ended")
    func patientEnd() throws {
        let service = try serve()
        let client = try start("play", DemoEpisodes.path(6), DemoEpisodes.path(4), "--repeat", "all")
        #expect(reaches("playing", service))
        var connection = try connect()
        _ = try connection.call(.serviceQuit, [.init("when", .string("idle"))], within: ServiceRun.limit)
        #expect(try state().hasPrefix("playing"))
        #expect(try run("stop").status == 0)
        #expect(service.wait().status == 0)
        _ = client.wait()
    }

    /// Returns the phase and the item of the next event `track` of a phase.
    private func nextTrack(_ phase: String, _ connection: inout ControlConnection) throws -> JSONValue? {
        while let event = try connection.nextEvent(within: ServiceRun.limit) {
            if event["event"]?.string == "track", event["phase"]?.string == phase { return event["track"] }
        }
        return nil
    }

    @Test("While no sound plays, clients get the current item when it changes, and when there is none any more")
    func currentItem() throws {
        let service = try serve()
        var connection = try connect()
        let topics = JSONValue.array([.string("player")])
        _ = try connection.call(.subscribe, [.init("topics", topics)], within: ServiceRun.limit)
        let targets = JSONValue.array([2, 6].map { .string(DemoEpisodes.path($0)) })
        let playing = try connection.call(.play, [.init("targets", targets)], within: ServiceRun.limit)
        let items = (playing["items"]?.elements ?? []).map { $0["id"] }
        #expect(try nextTrack("begin", &connection) == items.first)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(reaches("paused", service))
        _ = try connection.call(.next, within: ServiceRun.limit)
        #expect(try nextTrack("current", &connection) == items.last)
        _ = try connection.call(.stop, within: ServiceRun.limit)
        #expect(try nextTrack("current", &connection) == .null)
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }

    /// Returns the list in the reply to a request.
    private func list(
        _ connection: inout ControlConnection, _ method: MethodName, _ parameters: [JSONValue.Member]
    ) throws -> [JSONValue] {
        let result = try connection.call(method, parameters, within: ServiceRun.limit)
        return (result["podcasts"] ?? result["episodes"])?.elements ?? []
    }

    @Test("Clients read the library through the service, and mark episodes")
    func libraryMethods() throws {
        let service = try serve()
        var connection = try connect()
        let podcasts = try list(&connection, .libraryPodcasts, [])
        let newest = try list(&connection, .libraryEpisodes, [.init("limit", .integer(3))])
        let news = try list(&connection, .libraryEpisodes, [.init("podcast", .string("sea"))])
        #expect(podcasts.count == 2 && newest.count == 3 && news.count == 1)
        let found = try list(&connection, .librarySearch, [.init("words", .string("fog"))])
        #expect(found.map { $0["title"]?.string } == ["Fog"])
        let names = JSONValue.array([.string("Fog")])
        let marked = try list(&connection, .libraryMark, [.init("names", names), .init("played", .bool(true))])
        #expect(marked.map { $0["progress"]?.string } == ["played"])
        let states = JSONValue.array([.string("played")])
        let played = try list(&connection, .libraryEpisodes, [.init("states", states)])
        #expect(played.map { $0["title"]?.string } == ["Fog"])
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }

    /// Returns the number of arenas of malloc besides the first: each has a reserved range of 64 MiB from a multiple of
    /// it, and the part in use is writable.
    private func arenas(_ process: pid_t) throws -> Int {
        let lines = try ProgramRun.run(["cat", "/proc/\(process)/maps"], limit: TimeLimit.event).outputText
            .split(separator: "\n")
        let size: UInt64 = 64 << 20
        let ranges = lines.map { line -> (range: [UInt64], modes: Substring) in
            let fields = line.split(separator: " ")
            return (fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }, fields[1])
        }
        return zip(ranges, ranges.dropFirst()).count { used, rest in
            used.modes == "rw-p" && rest.modes == "---p" && used.range[0] % size == 0
                && rest.range[1] == used.range[0] + size
        }
    }

    @Test("However many threads a service has had, it keeps two arenas of memory")
    func memory() throws {
        let service = try serve()
        for part in [2, 6, 2, 6] {
            #expect(try run("play", DemoEpisodes.path(part), "--until", "0.5").status == 0)
        }
        #expect(try arenas(service.process) <= 1)
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
    }

    @Test("The desktop gets the picture in an audio file as a file")
    func cover() throws {
        let scratch = library.earshot.scratch
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]
        var tag = MP3Builder()
        tag.addID3v2(MP3Builder.id3Frame("APIC", [0, 0, 3, 0] + picture))
        let path = try scratch.write(tag.bytes + ScratchDirectory.bytes(of: DemoEpisodes.path(6)), to: "cover.mp3")
        let address = "unix:path=\(scratch.path("bus"))"
        let desktop = ["DBUS_SESSION_BUS_ADDRESS": address]
        let bus = try ProgramRun.messageBus(at: address)
        defer { bus.signal(SIGKILL) }
        let all = environment.merging(desktop) { $1 }.merging(["XDG_CACHE_HOME": scratch.path("cache")]) { $1 }
        let service = try library.earshot.start(
            ["serve", "--output", "null"], environment: all, limit: TimeLimit.event)
        #expect(service.wait { _ in (try? run("status", "--json"))?.outputText.contains("state") ?? false })
        let client = try start("play", path, "--repeat", "all")
        let names = scratch.path("cache/earshot/covers")
        let request = [
            "gdbus", "call", "--session", "--dest", "org.mpris.MediaPlayer2.earshot", "--object-path",
            "/org/mpris/MediaPlayer2", "--method", "org.freedesktop.DBus.Properties.Get",
            "org.mpris.MediaPlayer2.Player", "Metadata",
        ]
        #expect(
            service.wait { _ in
                let shown = try? ProgramRun.run(
                    request, environment: ProgramRun.plainEnvironment.merging(desktop) { $1 }, limit: TimeLimit.event)
                return shown?.outputText.contains("'mpris:artUrl': <'file://\(names)/") ?? false
            })
        #expect(ScratchDirectory.names(in: names).map { ScratchDirectory.bytes(of: "\(names)/\($0)") } == [picture])
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
        _ = client.wait()
    }

    @Test("A killed service leaves nothing that prevents a start, and two never own playback")
    func killLoop() throws {
        for _ in 0..<LongTests.size(5, inFull: 200) {
            let service = try serve()
            #expect(try run("serve", "--output", "null").status == 75)
            service.signal(SIGKILL)
            _ = service.wait()
        }
    }
}
