// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("A service at rest")
struct IdleTests {
    /// A process that wakes once a second wakes several times in this time.
    private static let window: UInt32 = 4
    private static let mostWindows = 20

    private let library: LibraryRun
    private let environment: [String: String]

    init() throws {
        library = try LibraryRun()
        let folder = library.earshot.scratch.path
        environment = [
            "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": library.stage.directory.path,
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus",
        ]
    }

    private func start(_ arguments: String...) throws -> ProgramRun {
        try library.earshot.start(arguments, environment: environment, limit: .seconds(300) * TimeLimit.factor)
    }

    private func state() throws -> String {
        try library.earshot.run(["status", "--format", "{state}"], environment: environment).outputText
    }

    /// Returns the text of a file of the system, whose size is unknown.
    private func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Returns the context switches of each thread so far.
    private func switches(_ process: pid_t) -> [String: String] {
        let threads = "/proc/\(process)/task"
        return ScratchDirectory.names(in: threads).reduce(into: [:]) { counts, thread in
            let lines = text(of: "\(threads)/\(thread)/status").split(separator: "\n")
            counts[thread] = lines.filter { $0.contains("ctxt_switches") }.joined()
        }
    }

    /// The number of threads that wake at rest: that of a dynamic libdispatch, which a release does not have.
    private func wakingThreads(_ program: ProgramRun) -> Int {
        text(of: "/proc/\(program.process)/maps").contains("libdispatch.so") ? 1 : 0
    }

    /// Returns true if the threads of a process do not run for some time.
    private func comesToRest(_ program: ProgramRun) -> Bool {
        let expected = wakingThreads(program)
        for _ in 0..<Self.mostWindows {
            let before = switches(program.process)
            sleep(Self.window)
            let after = switches(program.process)
            if !before.isEmpty, Set(after.keys) == Set(before.keys),
                after.count(where: { before[$0.key] != $0.value }) <= expected
            {
                return true
            }
        }
        return false
    }

    @Test("A stopped and a paused service do not wake, with three subscribers and a desktop")
    func rests() throws {
        let bus = try ProgramRun.isInstalled("/usr/bin/dbus-daemon")
            ? ProgramRun.messageBus(at: #require(environment["DBUS_SESSION_BUS_ADDRESS"])) : nil
        defer { bus?.signal(SIGKILL) }
        let service = try start("serve", "--output", "null")
        #expect(service.wait { _ in (try? state()) == "idle\n" })
        let subscribers = try (0..<3).map { _ in try start("events") }
        #expect(comesToRest(service))
        // Repeated, so that it does not end before the pause.
        let client = try start("play", DemoEpisodes.path(6), DemoEpisodes.path(4), "--repeat", "all")
        #expect(client.wait { _ in (try? state()) == "playing\n" })
        client.signal(SIGHUP)
        _ = client.wait()
        #expect(try library.earshot.run(["pause"], environment: environment).status == 0)
        #expect(service.wait { _ in (try? state()) == "paused\n" })
        #expect(comesToRest(service))
        for subscriber in subscribers {
            #expect(subscriber.wait { $0.outputSoFar.contains(#""state":"paused""#) })
        }
        service.signal(SIGTERM)
        #expect(service.wait().status == 0)
        for subscriber in subscribers { _ = subscriber.wait() }
    }
}
