// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("A service and the desktop")
struct ServiceDesktopTests {
    private let run: ServiceRun
    private let bus: ProgramRun
    private let environment: [String: String]

    init() throws {
        run = try ServiceRun()
        let address = "unix:path=" + run.library.earshot.scratch.path("bus")
        environment = run.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
        bus = try .messageBus(at: address)
    }

    private func onBus(_ words: String...) throws -> ProgramRun.Outcome {
        try ProgramRun.run(
            words, environment: ProgramRun.plainEnvironment.merging(environment) { $1 }, limit: TimeLimit.event)
    }

    private func player(_ method: String, _ arguments: String...) throws {
        try call("org.mpris.MediaPlayer2.Player.\(method)", arguments)
    }

    private func setVolume(_ volume: String) throws {
        try call("org.freedesktop.DBus.Properties.Set", ["org.mpris.MediaPlayer2.Player", "Volume", "<\(volume)>"])
    }

    private func call(_ method: String, _ arguments: [String]) throws {
        let words = ["--dest", "org.mpris.MediaPlayer2.earshot", "--object-path", "/org/mpris/MediaPlayer2"]
        let call = ["gdbus", "call", "--session"] + words + ["--method", method]
        let outcome = try ProgramRun.run(
            call + arguments, environment: ProgramRun.plainEnvironment.merging(environment) { $1 },
            limit: TimeLimit.event)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func serve() throws -> ProgramRun {
        let service = try run.library.earshot.start(
            ["serve", "--output", "null"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        #expect(try onBus("gdbus", "wait", "--session", "-t", "60", "org.mpris.MediaPlayer2.earshot").status == 0)
        return service
    }

    @Test("The desktop opens a file, pauses, seeks and stops")
    func commands() throws {
        let service = try serve()
        defer { bus.signal(SIGKILL) }
        try player("OpenUri", "file://\(DemoEpisodes.path(2))")
        #expect(service.wait { _ in run.status("{state} {location}") == "playing \(DemoEpisodes.path(2))" })
        try player("PlayPause")
        #expect(service.wait { _ in run.status("{state}") == "paused" })
        try player("Seek", "--", "-60000000")
        #expect(service.wait { _ in run.status("{position}") == "0:00" })
        try player("Play")
        #expect(service.wait { _ in run.status("{state}") == "playing" })
        try player("Stop")
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        run.end(service)
    }

    @Test("The desktop gets the picture of the chapter that is heard")
    func chapterPictures() throws {
        let scratch = run.library.earshot.scratch
        let pictures: [[UInt8]] = [[0x89, 0x50, 0x4E, 0x47, 1], [0x89, 0x50, 0x4E, 0x47, 2]]
        let tag = MP3Builder.chapterTag(
            [0, 1000, 2000], titles: ["Sea", "Shore", "Sand"], end: 3000, pictures: pictures)
        let path = try scratch.write(tag + ScratchDirectory.bytes(of: DemoEpisodes.path(2)), to: "chapters.mp3")
        let cache = ["XDG_CACHE_HOME": scratch.path("cache")]
        let service = try run.library.earshot.start(
            ["serve", "--output", "null"], environment: environment.merging(cache) { $1 }, limit: TimeLimit.event)
        defer { bus.signal(SIGKILL) }
        #expect(try onBus("gdbus", "wait", "--session", "-t", "60", "org.mpris.MediaPlayer2.earshot").status == 0)
        try player("OpenUri", "file://\(path)")
        #expect(service.wait { _ in run.status("{state}") == "playing" })
        try player("Pause")
        for (chapter, picture) in [(1, pictures[0]), (2, pictures[1]), (3, [])] {
            #expect(try run.run("chapter", "\(chapter)").status == 0)
            #expect(service.wait { _ in cover == picture }, "chapter \(chapter)")
        }
        run.end(service)
    }

    /// The bytes of the cover that the desktop shows; empty if it shows none.
    private var cover: [UInt8] {
        let outcome = try? onBus(
            "gdbus", "call", "--session", "--dest", "org.mpris.MediaPlayer2.earshot", "--object-path",
            "/org/mpris/MediaPlayer2", "--method", "org.freedesktop.DBus.Properties.Get",
            "org.mpris.MediaPlayer2.Player", "Metadata")
        let parts = outcome?.outputText.split(separator: "'mpris:artUrl': <'file://") ?? []
        guard parts.count == 2 else { return [] }
        return ScratchDirectory.bytes(of: String(parts[1].prefix { $0 != "'" }))
    }

    @Test("While the output is changed, a seek of the desktop waits for the item of the next player; a volume does not")
    func changedOutput() throws {
        let server = run.library.server
        server.serve("/slow", DemoEpisodes.episode(2))
        let service = try serve()
        defer { bus.signal(SIGKILL) }
        var connection = try run.connect(to: "player")
        let play = [JSONValue.Member("targets", .array([.string(server.url("/slow"))]))]
        _ = try connection.call(.play, play, within: ServiceRun.limit)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        _ = try connection.call(.seek, [.init("to", .string("0"))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {position}") == "paused 0:00" })
        let count = server.requests(for: "/slow").count
        server.serve("/slow", DemoEpisodes.episode(2).with { $0.latency = .seconds(3600) })
        _ = try connection.call(.output, [.init("to", .string("null"))], within: ServiceRun.limit)
        #expect(service.wait { _ in server.requests(for: "/slow").count > count })
        try player("Seek", "5000000")
        try setVolume("0.3")
        #expect(service.wait { _ in run.status("{volume}") == "30" })
        server.serve("/slow", DemoEpisodes.episode(2))
        _ = try connection.call(.output, [.init("to", .string("null"))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {position}") == "paused 0:05" })
        run.end(service)
    }

    @Test("The service says whether media keys reach it, and how many clients it has")
    func facts() throws {
        let service = try serve()
        defer { bus.signal(SIGKILL) }
        var connection = try run.connect(to: "player")
        var facts = try connection.call(.serviceStatus, within: ServiceRun.limit)
        // The bus has granted the name before the service knows it.
        #expect(
            service.wait { _ in
                facts = (try? connection.call(.serviceStatus, within: ServiceRun.limit)) ?? facts
                return facts["desktop"] == .bool(true)
            })
        #expect(facts["owner"]?.string == "service" && facts["pid"]?.integer == Int64(service.process))
        #expect(facts["clients"]?.integer == 1)
        run.end(service)
    }

    @Test("A refresh without a terminal notifies the desktop, and the next notification replaces it")
    func notice() throws {
        defer { bus.signal(SIGKILL) }
        let desktop = try ProgramRun(
            [
                "/usr/bin/python3", "-m", "dbusmock", "--session", "--template", "notification_daemon", "--parameters",
                "{\"capabilities\": \"body\"}",
            ], environment: environment.merging(["PATH": "/usr/bin"]) { $1 }, limit: TimeLimit.event * 2)
        defer { desktop.signal(SIGKILL) }
        _ = try onBus("gdbus", "wait", "--session", "-t", "60", "org.freedesktop.Notifications")
        func refresh(_ title: String, day: Int) throws {
            let items = (1...day).reversed().map { ServedFeed.Item.named($0 == day ? title : "Old \($0)", day: $0) }
            run.library.serve(ServedFeed("Harbour Tales", items))
            let outcome = try run.library.earshot.run(["refresh", "--all"], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try refresh("Thick fog", day: 4)
        try refresh("Calm", day: 5)
        #expect(try run.run("settings", "set", "notify", "off").status == 0)
        try refresh("Silent", day: 6)
        #expect(desktop.wait { $0.outputSoFar.contains("Calm") })
        let notices = desktop.outputSoFar.split(separator: "\n").filter { $0.contains(" Notify ") }
        #expect(notices.count == 2 && notices[0].contains("\"Earshot\" 0 ") && notices[0].contains("Thick fog"))
        #expect(notices.last?.contains("\"Earshot\" 1 ") == true, "\(notices)")
    }
}
