// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@testable import DesktopBus

@Suite("Notifications")
struct DesktopNoticeTests {
    private let bus = BusFixture()

    /// Starts a desktop that shows notifications.
    private func startDesktop(_ capabilities: String) throws -> ProgramRun {
        let desktop = try ProgramRun(
            [
                "/usr/bin/python3", "-m", "dbusmock", "--session", "--template", "notification_daemon", "--parameters",
                "{\"capabilities\": \"\(capabilities)\"}",
            ], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin"], limit: .seconds(120))
        _ = try bus.run(["gdbus", "wait", "--address", bus.address, "-t", "60", "org.freedesktop.Notifications"])
        return desktop
    }

    @Test("A notification replaces its predecessor on the same desktop only", .enabled(if: DesktopMock.isInstalled))
    func replaces() throws {
        try bus.startDaemon()
        let desktop = try startDesktop("body body-markup")
        defer { desktop.signal(SIGKILL) }
        let notice = DesktopNotice(title: "2 new episodes", text: "Tales: Fish & <chips>")
        let first = try #require(notice.show(replacing: nil, address: bus.address))
        for _ in 0..<4 { #expect(notice.show(replacing: first, address: bus.address) == first) }
        let foreign = String(first.reversed())
        #expect(notice.show(replacing: foreign, address: bus.address) != first)
        #expect(desktop.wait { $0.outputSoFar.split(separator: " Notify ").count == 7 })
        #expect(desktop.outputSoFar.contains("Tales: Fish &amp; &lt;chips&gt;"))
    }

    @Test("A desktop without markup gets the plain text", .enabled(if: DesktopMock.isInstalled))
    func plain() throws {
        try bus.startDaemon()
        let desktop = try startDesktop("body")
        defer { desktop.signal(SIGKILL) }
        let notice = DesktopNotice(title: "1 new episode", text: "Fish & chips")
        #expect(notice.show(replacing: nil, address: bus.address) != nil)
        #expect(desktop.wait { $0.outputSoFar.contains("Fish & chips") })
    }

    @Test("Without a bus or a desktop, no notification is shown")
    func none() throws {
        let notice = DesktopNotice(title: "1 new episode", text: "Fog")
        #expect(notice.show(replacing: nil, address: "unix:path=/nowhere/bus") == nil)
        guard BusFixture.isInstalled else { return }
        try bus.startDaemon()
        #expect(notice.show(replacing: nil, address: bus.address) == nil)
    }
}

/// The services of a desktop from python3-dbusmock.
enum DesktopMock {
    static let isInstalled =
        BusFixture.isInstalled && access("/usr/lib/python3/dist-packages/dbusmock/__init__.py", R_OK) == 0
}
