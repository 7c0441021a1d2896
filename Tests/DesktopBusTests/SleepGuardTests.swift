// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Synchronization
import Testing

@testable import DesktopBus

@Suite("logind", .enabled(if: DesktopMock.isInstalled))
struct SleepGuardTests {
    private let bus = BusFixture()

    private func mock(_ words: String...) throws -> String {
        try bus.run(
            [
                "gdbus", "call", "--address", bus.address, "--dest", "org.freedesktop.login1", "--object-path",
                "/org/freedesktop/login1", "--method",
            ] + words)
    }

    @Test("The machine stays awake while sound plays, and the guard announces sleep")
    func guards() throws {
        try bus.startDaemon()
        let logind = try ProgramRun(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PATH": "/usr/bin"], limit: TimeLimit.event * 2)
        defer { logind.signal(SIGTERM) }
        _ = try bus.run(["gdbus", "wait", "--address", bus.address, "-t", "60", "org.freedesktop.login1"])
        let received = EventLog()
        let found = SleepGuard.start(address: bus.address, inhibits: true, delaysSleep: true) { received.append($0) }
        let sleep = try #require(found)
        defer { sleep.stop() }
        sleep.setPlaying(true)
        #expect(logind.wait { $0.outputSoFar.contains("\"idle\"") && $0.outputSoFar.contains("\"sleep\"") })
        _ = try mock(
            "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.login1.Manager", "PrepareForSleep",
            "b", "[<true>]")
        #expect(logind.wait { _ in received.events == [.sleeps] })
    }
}

/// The events so far, from another thread.
private final class EventLog: Sendable {
    private let list = Mutex<[SleepGuard.Event]>([])

    var events: [SleepGuard.Event] { list.withLock { $0 } }
    func append(_ event: SleepGuard.Event) { list.withLock { $0.append(event) } }
}
