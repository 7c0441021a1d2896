// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import DesktopBus

@Suite(
    "Desktop bus",
    .enabled(if: BusFixture.isInstalled, "dbus-daemon, playerctl, gdbus and busctl are not all installed"),
    .serialized)
struct DesktopBusTests {
    private static let player = "org.mpris.MediaPlayer2.Player"

    /// Returns a bus with a player that shows an item.
    private func fixture() throws -> (BusFixture, DesktopBus) {
        let fixture = BusFixture()
        try fixture.startDaemon()
        let bus = try fixture.startPlayer()
        try fixture.waitForPlayer()
        bus.show(Self.snapshot)
        // The first call may still see the state before.
        while try fixture.run("playerctl", "status") != "Paused" {}
        return (fixture, bus)
    }

    private static var snapshot: MPRISSnapshot {
        var snapshot = MPRISChangesTests.playing(at: .seconds(600))
        snapshot.item?.podcast = "Harbour Tales"
        (snapshot.status, snapshot.position.rate) = (.paused, 0)
        (snapshot.canNext, snapshot.canPrevious, snapshot.volume, snapshot.loop) = (true, true, 0.8, .all)
        return snapshot
    }

    @Test("playerctl shows the state and controls the player")
    func playerctl() throws {
        let (fixture, bus) = try fixture()
        #expect(try fixture.run("playerctl", "-l") == "earshot")
        #expect(try fixture.run("playerctl", "position") == "600.000000")
        #expect(try fixture.run("playerctl", "volume") == "0.800000")
        #expect(try fixture.run("playerctl", "loop") == "Playlist")
        let format = "{{title}} {{album}} {{artist}} {{duration(mpris:length)}} {{mpris:trackid}}"
        let metadata = try fixture.run("playerctl", "metadata", "--format", format)
        #expect(metadata == "Pilot Harbour Tales Harbour Tales 1:00:00 '/org/earshot/item/1_1'")
        for words in [["play-pause"], ["next"], ["previous"], ["stop"], ["position", "3500"], ["position", "10-"]] {
            _ = try fixture.run(["playerctl"] + words)
        }
        for words in [["volume", "0.4"], ["loop", "Track"], ["open", "https://example.org/a.mp3"]] {
            _ = try fixture.run(["playerctl"] + words)
        }
        #expect(
            fixture.takeRequests() == [
                .toggle, .next, .previous, .stop, .seekTo(.seconds(3500)), .seekBy(.seconds(-10)), .setVolume(0.4),
                .setLoop(.one), .open("https://example.org/a.mp3"),
            ])
        bus.stop()
    }

    @Test("gdbus and busctl see the types of the specification, and errors for invalid calls")
    func types() throws {
        let (fixture, bus) = try fixture()
        let tree = try fixture.run(
            "busctl", "--address=\(fixture.address)", "introspect", "--no-pager", MPRISObject.name, MPRISObject.path)
        for (name, type) in [("Position", "x"), ("Metadata", "a{sv}"), ("Volume", "d"), ("CanGoNext", "b")] {
            let line = tree.split(separator: "\n").first { $0.hasPrefix(".\(name) ") }
            let words = line.map { $0.split(separator: " ").map(String.init) } ?? []
            #expect(words.prefix(3) == [".\(name)", "property", type])
        }
        let metadata = try fixture.call("org.freedesktop.DBus.Properties.Get", Self.player, "Metadata")
        #expect(metadata.contains("'mpris:trackid': <objectpath '/org/earshot/item/1_1'>"))
        #expect(metadata.contains("'mpris:length': <int64 3600000000>"))
        #expect(try fixture.call("\(Self.player).SetPosition", "/org/earshot/item/stale", "5") == "()\n")
        #expect(try fixture.call("\(Self.player).Fly").contains("UnknownMethod"))
        #expect(try fixture.call("org.freedesktop.DBus.Properties.Get", Self.player, "Fly").contains("UnknownProperty"))
        #expect(
            try fixture.call("org.freedesktop.DBus.Properties.Set", Self.player, "Position", "<int64 5>")
                .contains("PropertyReadOnly"))
        #expect(try fixture.call("\(Self.player).Seek", "(1, [2.5])").contains("rror"))
        #expect(fixture.takeRequests().isEmpty)
        bus.stop()
    }

    @Test("Signals reach the bus: the properties of a new item first, then Seeked; Position is not among them")
    func signals() throws {
        let (fixture, bus) = try fixture()
        let monitor = try fixture.start("gdbus", "monitor", "--session", "-d", MPRISObject.name)
        // The monitor subscribes to signals only after it has reported the owner, so the volume changes until it does.
        var snapshot = Self.snapshot
        #expect(
            monitor.wait { monitor in
                snapshot.volume = snapshot.volume == 0.5 ? 0.4 : 0.5
                bus.show(snapshot)
                return monitor.outputSoFar.contains("'Volume'")
            })
        snapshot.volume = 0.25
        bus.show(snapshot)
        #expect(monitor.wait { $0.outputSoFar.contains("0.25") })
        snapshot.item?.number = 2
        snapshot.status = .playing
        bus.show(snapshot)
        #expect(monitor.wait { $0.outputSoFar.contains("Seeked") && $0.outputSoFar.hasSuffix("\n") })
        let text = monitor.outputSoFar
        let lines = text.split(separator: "\n").filter { $0.contains(MPRISObject.path) && !$0.contains("'Volume'") }
        #expect(lines.count == 2 && lines.first?.contains("PropertiesChanged") == true)
        #expect(lines.first?.contains("item/1_2") == true && lines.first?.contains("'Position'") == false)
        #expect(lines.last?.contains("Player.Seeked (int64 600000000,)") == true)
        monitor.signal(15)
        bus.stop()
    }

    @Test("A player that starts before the bus appears on it later")
    func lateBus() throws {
        let fixture = BusFixture()
        let bus = try fixture.startPlayer()
        bus.show(Self.snapshot)
        try fixture.startDaemon()
        try fixture.waitForPlayer()
        #expect(try fixture.run("playerctl", "status") == "Paused")
        bus.stop()
    }

    @Test("After the bus was killed, the player appears on the next one")
    func killedBus() throws {
        let (fixture, bus) = try fixture()
        for _ in 0..<3 {
            fixture.killDaemon()
            try fixture.startDaemon()
            try fixture.waitForPlayer()
            #expect(try fixture.run("playerctl", "status") == "Paused")
        }
        bus.stop()
    }

    @Test("Without a usable address, the player runs and stops")
    func noBus() {
        #expect(DesktopBus.address(environment: [:]) == nil)
        #expect(DesktopBus.address(environment: ["XDG_RUNTIME_DIR": "/run/a b"]) == "unix:path=/run/a%20b/bus")
        for address in ["", "nonsense", "unix:abstract=/none", "unix:path=/proc/none/bus"] {
            let bus = DesktopBus.start(address: address) { _ in }
            bus?.show(Self.snapshot)
            #expect(bus?.isConnected == false)
            bus?.stop()
        }
    }
}
