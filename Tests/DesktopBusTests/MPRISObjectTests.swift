// SPDX-License-Identifier: GPL-3.0-or-later
@testable import DesktopBus
import Testing

@Suite("Calls of the desktop")
struct MPRISObjectTests {
    private static let player = "org.mpris.MediaPlayer2.Player"
    private static let properties = "org.freedesktop.DBus.Properties"

    private static func object(_ change: (inout MPRISSnapshot) -> Void = { _ in }) -> MPRISObject {
        var snapshot = MPRISChangesTests.playing(at: .seconds(600))
        change(&snapshot)
        var object = MPRISObject()
        _ = object.show(snapshot)
        return object
    }

    private static func request(_ object: MPRISObject, _ member: String, _ arguments: DBusValue...) throws
        -> MPRISRequest?
    {
        try object.handle(.init(player, member, arguments), at: .zero).request
    }

    @Test("Every property has the type of the specification")
    func types() throws {
        let expected = [
            "CanQuit": "b", "CanRaise": "b", "HasTrackList": "b", "Identity": "s", "DesktopEntry": "s",
            "SupportedUriSchemes": "as", "SupportedMimeTypes": "as", "PlaybackStatus": "s", "LoopStatus": "s",
            "Rate": "d", "Metadata": "a{sv}", "Volume": "d", "Position": "x", "MinimumRate": "d", "MaximumRate": "d",
            "CanGoNext": "b", "CanGoPrevious": "b", "CanPlay": "b", "CanPause": "b", "CanSeek": "b", "CanControl": "b",
        ]
        var found: [String: String] = [:]
        for interface in ["org.mpris.MediaPlayer2", Self.player] {
            let outcome = try Self.object().handle(.init(Self.properties, "GetAll", [.text(interface)]), at: .zero)
            guard case .dictionary(let entries)? = outcome.reply.first else { continue }
            for entry in entries { found[entry.key] = entry.value.signature }
        }
        #expect(found == expected)
        #expect(MPRISProperty.all.allSatisfy { $0.signature == expected[$0.name] })
    }

    @Test("Metadata has the keys and types of the specification, also for an item of many hours")
    func metadata() {
        var item = MPRISItem(player: 2, number: 7, title: "Pilot")
        item.podcast = "Harbour Tales"
        item.published = "2026-11-22T04:00:00Z"
        item.address = "https://example.org/pilot.mp3"
        item.cover = "/tmp/a cover%.jpg"
        item.duration = .seconds(36_000)
        let expected: [DBusValue.Entry] = [
            .init("mpris:trackid", .objectPath("/org/earshot/item/2_7")), .init("xesam:title", .text("Pilot")),
            .init("mpris:length", .integer(36_000_000_000)), .init("xesam:artist", .texts(["Harbour Tales"])),
            .init("xesam:album", .text("Harbour Tales")), .init("xesam:genre", .texts(["Podcast"])),
            .init("xesam:contentCreated", .text("2026-11-22T04:00:00Z")),
            .init("xesam:url", .text("https://example.org/pilot.mp3")),
            .init("mpris:artUrl", .text("file:///tmp/a%20cover%25.jpg")),
        ]
        #expect(item.metadata == expected)
        item.address = "/home/a b.mp3"
        #expect(item.metadata.contains(.init("xesam:url", .text("file:///home/a%20b.mp3"))))
    }

    @Test("The position is computed at the time of the call, and never passes the end")
    func position() throws {
        let call = MPRISObject.Call(Self.properties, "Get", [.text(Self.player), .text("Position")])
        let object = Self.object()
        #expect(try object.handle(call, at: .seconds(5)).reply == [.variant(.integer(605_000_000))])
        #expect(try object.handle(call, at: .seconds(9999)).reply == [.variant(.integer(3_600_000_000))])
        #expect(try MPRISObject().handle(call, at: .seconds(5)).reply == [.variant(.integer(0))])
    }

    @Test("A method without an effect sends no request")
    func unavailable() throws {
        for member in ["Play", "Pause", "PlayPause", "Stop", "Next", "Previous"] {
            #expect(try Self.request(MPRISObject(), member) == nil, "\(member)")
        }
        let stopped = Self.object { snapshot in (snapshot.item, snapshot.status) = (nil, .stopped) }
        #expect(try Self.request(stopped, "PlayPause") == .toggle && Self.request(stopped, "Pause") == nil)
    }

    @Test(
        "Seek moves by an offset: before the start it goes to the start, past the end to the next item",
        arguments: [
            (10_000_000, .seekBy(.seconds(10))), (-600_000_001, .seekTo(.zero)),
            (3_000_000_000, .seekBy(.seconds(3000))),
            (3_000_000_001, .next), (.max, .next), (.min, .seekTo(.zero)),
        ] as [(Int64, MPRISRequest)])
    func seek(offset: Int64, request: MPRISRequest) throws {
        #expect(try Self.request(Self.object { $0.canNext = true }, "Seek", .integer(offset)) == request)
    }

    @Test(
        "SetPosition is ignored for another item and outside the item",
        arguments: [
            ("/org/earshot/item/1_1", 5, .seekTo(.microseconds(5))), ("/org/earshot/item/1_1", 0, .seekTo(.zero)),
            ("/org/earshot/item/1_1", -1, nil), ("/org/earshot/item/1_1", 3_600_000_001, nil),
            ("/org/earshot/item/1_1", .max, nil), ("/org/earshot/item/stale", 5, nil), ("/", 5, nil),
        ] as [(String, Int64, MPRISRequest?)])
    func setPosition(track: String, position: Int64, request: MPRISRequest?) throws {
        #expect(
            try Self.request(Self.object(), "SetPosition", .objectPath(track), .integer(position)) == request)
    }

    @Test(
        "A written property is limited to its range",
        arguments: [
            ("Volume", .double(0.4), .setVolume(0.4)), ("Volume", .double(-3), .setVolume(0)),
            ("Volume", .double(9), .setVolume(1.5)), ("Volume", .double(.nan), nil), ("Rate", .double(0), .pause),
            ("Rate", .double(9), .setSpeed(3.5)), ("LoopStatus", .text("Track"), .setLoop(.one)),
            ("LoopStatus", .text("x"), nil),
        ] as [(String, DBusValue, MPRISRequest?)])
    func set(name: String, value: DBusValue, request: MPRISRequest?) throws {
        let call = MPRISObject.Call(Self.properties, "Set", [.text(Self.player), .text(name), .variant(value)])
        #expect(try Self.object().handle(call, at: .zero).request == request)
    }

    @Test(
        "An invalid call gets the error of the D-Bus specification",
        arguments: [
            (.init(player, "Fly"), "UnknownMethod"), (.init("org.example", "Play"), "UnknownInterface"),
            (.init(player, "Seek", [.double(1)]), "InvalidArgs"), (.init(player, "Play", [.text("")]), "InvalidArgs"),
            (.init(properties, "Get", [.text(player), .text("Fly")]), "UnknownProperty"),
            (.init(properties, "Set", [.text(player), .text("Position"), .variant(.integer(1))]), "PropertyReadOnly"),
            (.init(properties, "Set", [.text(player), .text("Volume"), .variant(.text("1"))]), "InvalidArgs"),
            (.init(properties, "Set", [.text(player), .text("Volume"), .double(1)]), "InvalidArgs"),
        ] as [(MPRISObject.Call, String)])
    func invalid(call: MPRISObject.Call, name: String) {
        do throws(DBusError) {
            _ = try Self.object().handle(call, at: .zero)
            Issue.record("no error")
        } catch {
            #expect(error.name == "org.freedesktop.DBus.Error.\(name)")
        }
    }

    @Test("A call without an interface reaches the method of that name")
    func withoutInterface() throws {
        #expect(try Self.object().handle(.init(nil, "Pause"), at: .zero).request == .pause)
    }
}
