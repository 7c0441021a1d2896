// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import ControlProtocol

/// Clients that command the same player and read at different speeds, in virtual time.
@Suite("The state of several clients")
struct ClientStateTests {
    private static let length = Duration.seconds(LongTests.size(14_400, inFull: 86_400))

    @Test(
        "After hours of random commands from five clients, all have the state of the player",
        arguments: 0..<LongTests.size(3, inFull: 200))
    func hours(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (fixture, player) = (HubFixture(), ModelPlayer())
        var clients = (0..<5).map { _ in ModelClient(&fixture) }
        var gaps = 0
        while fixture.now < Self.length {
            fixture.now += .milliseconds(Int64.random(in: 1...60_000, using: &random))
            clients[Int.random(in: 0..<5, using: &random)].command(&fixture, &random)
            player.answer(&fixture, &random)
            // The first client reads everything, the last one hardly ever.
            for index in clients.indices where Int.random(in: 0..<400, using: &random) >= index * 99 {
                gaps += clients[index].read(&fixture)
                player.answer(&fixture, &random)
            }
        }
        for index in clients.indices {
            while case let found = clients[index].read(&fixture), found > 0 { player.answer(&fixture, &random) }
            player.answer(&fixture, &random)
            gaps += clients[index].read(&fixture)
            #expect(clients[index].state == player.state, "client \(index)")
        }
        #expect(gaps > 0, "no client missed an event")
    }
}

/// The part of a player's state that every client knows.
private struct ModelPlayer {
    private(set) var state: [String: JSONValue] = [
        "volume": .integer(100), "repeat": .string("off"), "state": .string("idle"), "position": .null,
        "episodes": .array([]),
    ]

    /// Executes the requests of the clients, and publishes what they change.
    mutating func answer(_ fixture: inout HubFixture, _ random: inout SeededGenerator) {
        while case let inputs = fixture.hub.takeInputs(), !inputs.isEmpty {
            for input in inputs {
                switch input {
                case .request(let request):
                    execute(request, &fixture, &random)
                    fixture.hub.reply(.success(.object([])), to: request.ticket, at: fixture.now)
                case .command(_, let ticket): fixture.hub.reply(.success(.null), to: ticket, at: fixture.now)
                case .snapshotWanted(let ticket): fixture.hub.deliver(snapshot, to: ticket, at: fixture.now)
                case .ticksWanted, .clientCount, .ownershipLost: break
                }
            }
        }
    }

    private var snapshot: [JSONValue.Member] {
        let player = ["volume", "repeat", "state", "position"].map { JSONValue.Member($0, state[$0] ?? .null) }
        return [
            .init("player", .object(player)), .init("queue", .object([.init("episodes", state["episodes"] ?? .null)])),
        ]
    }

    private mutating func execute(
        _ request: ControlRequest, _ fixture: inout HubFixture, _ random: inout SeededGenerator
    ) {
        switch request.method {
        case .volume: change(.volume, "volume", .integer(request.parameters.integer("percent") ?? 0), &fixture)
        case .repeatMode: change(.repeatMode, "repeat", .string(request.parameters.text("mode") ?? ""), &fixture)
        case .pause: change(.state, "state", .string("paused"), &fixture)
        case .play: change(.state, "state", .string("playing"), &fixture)
        case .seek: change(.position, "position", .string(request.parameters.text("to") ?? ""), &fixture)
        case .queueAdd:
            let names = request.parameters.texts("names") ?? []
            change(.queue, "episodes", .array(names.map(JSONValue.string)), &fixture)
        default: break
        }
        // Notes fill the outboxes of clients that do not read.
        let text = String(repeating: "n", count: Int.random(in: 0..<9000, using: &random))
        fixture.publish(.note, text)
    }

    private mutating func change(
        _ event: EventName, _ key: String, _ value: JSONValue, _ fixture: inout HubFixture
    ) {
        state[key] = value
        fixture.hub.publish(ControlEvent(event, [.init(key, value)], at: fixture.now))
    }
}

/// A client that follows the events.
private struct ModelClient {
    private let id: ClientID
    private(set) var state: [String: JSONValue] = [:]

    init(_ fixture: inout HubFixture) {
        id = fixture.connect()
        fixture.write(
            #"{"id":0,"method":"subscribe","params":{"topics":["player","queue","notes"]}}"# + "\n", to: id)
    }

    func command(_ fixture: inout HubFixture, _ random: inout SeededGenerator) {
        let number = Int.random(in: 0...150, using: &random)
        let requests = [
            #""player.volume","params":{"percent":\#(number)}"#, #""player.repeat","params":{"mode":"all"}"#,
            #""player.repeat","params":{"mode":"one"}"#, #""player.pause""#, #""player.play""#,
            #""player.seek","params":{"to":"\#(number)"}"#, #""queue.add","params":{"names":["\#(number)"]}"#,
        ]
        let request = requests[Int.random(in: 0..<requests.count, using: &random)]
        if fixture.hub.wantsInput(id) { fixture.write(#"{"id":1,"method":\#(request)}"# + "\n", to: id) }
    }

    /// Reads everything that there is.
    /// - Returns: the number of gaps.
    mutating func read(_ fixture: inout HubFixture) -> Int {
        var gaps = 0
        for line in fixture.read(id) {
            let event = line["params"]
            if event?["event"]?.string == "gap" { gaps += 1 }
            accept(snapshot: event?["snapshot"] ?? line["result"]?["snapshot"])
            for key in ["volume", "repeat", "state", "position", "episodes"] {
                if let value = event?[key] { state[key] = value }
            }
        }
        return gaps
    }

    private mutating func accept(snapshot: JSONValue?) {
        for topic in ["player", "queue"] {
            for member in snapshot?[topic]?.members ?? [] { state[member.key] = member.value }
        }
    }
}
