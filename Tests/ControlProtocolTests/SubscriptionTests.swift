// SPDX-License-Identifier: GPL-3.0-or-later
@testable import ControlProtocol
import Media
import Testing

@Suite("Subscriptions")
struct SubscriptionTests {
    @Test("Events before the snapshot are part of it, and those after it are sent")
    func order() throws {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write(#"{"id":1,"method":"subscribe","params":{"topics":["player"]}}"# + "\n", to: id)
        fixture.publish(.state, "before")
        fixture.answerSnapshots([.init("player", .object([]))])
        fixture.publish(.state, "after")
        let lines = fixture.read(id)
        #expect(lines.first?["result"] == (try JSONValue(parsing: #"{"seq":1,"snapshot":{"player":{}}}"#)))
        #expect(lines.texts == ["after"] && lines.last?["params"]?["seq"]?.integer == 2)
    }

    @Test("A client gets the events of its topics until it unsubscribes")
    func topics() {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.publish(.state)
        fixture.subscribe(id, "\"notes\"")
        for name in [.state, .position, .note, .service] as [EventName] { fixture.publish(name) }
        #expect(fixture.read(id).eventNames == ["note"])
        fixture.write(#"{"id":2,"method":"unsubscribe"}"# + "\n", to: id)
        fixture.publish(.note)
        #expect(fixture.read(id).map { $0["id"]?.integer } == [2])
    }

    @Test("A client that unsubscribes before its snapshot arrives gets the snapshot and no events")
    func quickEnd() {
        var fixture = HubFixture()
        let id = fixture.connect()
        let subscription = #"{"id":1,"method":"subscribe","params":{"topics":["notes"]}}"# + "\n"
        fixture.write(subscription + #"{"id":2,"method":"unsubscribe"}"# + "\n", to: id)
        fixture.answerSnapshots()
        fixture.publish(.note)
        #expect(fixture.read(id).map { $0["id"]?.integer } == [2, 1])
        fixture.write(subscription, to: id)
        fixture.answerSnapshots()
        fixture.publish(.note)
        #expect(fixture.read(id).eventNames == ["note"])
    }

    @Test("A newer position replaces an unsent one, at the end")
    func coalescing() {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.subscribe(id)
        fixture.publish(.position, "p1")
        fixture.publish(.track, "t1")
        fixture.publish(.position, "p2")
        fixture.publish(.track, "t2")
        #expect(fixture.read(id).texts == ["t1", "p2", "t2"])
    }

    @Test("An event of which a part was sent is not replaced")
    func partlySent() {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.subscribe(id)
        fixture.publish(.position, "p1")
        var start: [UInt8] = []
        fixture.hub.send(to: id, at: .zero) { bytes in
            start = Array(bytes[..<5])
            return 5
        }
        fixture.publish(.position, "p2")
        var rest: [UInt8] = []
        fixture.hub.send(to: id, at: .zero) { bytes in
            rest += bytes
            return bytes.count
        }
        let lines = String(decoding: start + rest, as: UTF8.self).split(separator: "\n")
        #expect(lines.compactMap { try? JSONValue(parsing: String($0)) }.texts == ["p1", "p2"])
    }

    @Test("A client that reads too slowly gets a gap with a fresh snapshot, and its replies")
    func gap() {
        var fixture = HubFixture()
        let (slow, quick) = (fixture.connect(), fixture.connect())
        fixture.subscribe(slow)
        fixture.subscribe(quick)
        fixture.write("{\"id\":9,\"method\":\"ping\"}\n", to: slow)
        let text = String(repeating: "x", count: 1000)
        for _ in 0..<300 {
            fixture.publish(.state, text)
            #expect(fixture.read(quick).count == 1)
        }
        #expect(fixture.answerSnapshots().isEmpty)
        #expect(fixture.read(slow).map { $0["id"]?.integer } == [9])
        fixture.publish(.state, "in the gap")
        fixture.answerSnapshots([.init("player", .object([.init("state", .string("playing"))]))])
        fixture.publish(.state, "after")
        let lines = fixture.read(slow)
        #expect(lines.eventNames == ["gap", "state"] && lines.texts == ["after"])
        #expect(lines.first?["params"]?["snapshot"]?["player"]?["state"]?.string == "playing")
        #expect(lines.first?["params"]?["seq"]?.integer == 301)
    }

    @Test("A client that unsubscribes before the snapshot of its gap arrives gets no gap")
    func endedGap() {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.subscribe(id)
        let text = String(repeating: "x", count: 1000)
        for _ in 0..<300 { fixture.publish(.state, text) }
        _ = fixture.read(id)
        fixture.write(#"{"id":2,"method":"unsubscribe"}"# + "\n", to: id)
        fixture.answerSnapshots()
        #expect(fixture.read(id).map { $0["id"]?.integer } == [2])
    }

    @Test("A slow client never has more than 256 KiB of events, and is not closed for it")
    func bounded() {
        var outbox = Outbox()
        for _ in 0..<10_000 {
            outbox.append(event: Array(repeating: 0x20, count: 100), key: nil)
            #expect(outbox.eventBytes <= Outbox.limit)
        }
        #expect(outbox.hasGap && outbox.eventBytes == 0 && !outbox.isFull)
    }

    @Test("Ticks reach only clients that want them, at their own interval")
    func ticks() {
        var fixture = HubFixture()
        let (quick, slow, none) = (fixture.connect(), fixture.connect(), fixture.connect())
        fixture.subscribe(quick, ticks: "0.2")
        fixture.subscribe(slow, ticks: "1")
        fixture.subscribe(none)
        for step in 0..<50 {
            fixture.now = .milliseconds(200 * step)
            fixture.publish(.position, isTick: true)
            if step % 5 == 4 { #expect(fixture.read(slow).count == 1) }
            #expect(fixture.read(quick).count == 1)
        }
        #expect(fixture.read(none).isEmpty)
        fixture.publish(.position)
        #expect(fixture.read(none).count == 1 && fixture.read(slow).count == 1)
    }

    @Test("The owner gets the shortest interval of all clients, and its end")
    func tickInterval() {
        var fixture = HubFixture()
        func intervals(_ inputs: [ControlInput]) -> [Duration?] {
            inputs.compactMap { input in if case .ticksWanted(let every) = input { .some(every) } else { nil } }
        }
        let (first, second) = (fixture.connect(), fixture.connect())
        fixture.subscribe(first, ticks: "1")
        #expect(intervals(fixture.hub.takeInputs()) == [.seconds(1)])
        fixture.subscribe(second, ticks: "0.5")
        #expect(intervals(fixture.hub.takeInputs()) == [.milliseconds(500)])
        fixture.hub.disconnect(second)
        #expect(intervals(fixture.hub.takeInputs()) == [.seconds(1)])
        fixture.hub.hangUp(first)
        #expect(intervals(fixture.hub.takeInputs()) == [nil])
    }
}
