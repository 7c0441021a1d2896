// SPDX-License-Identifier: GPL-3.0-or-later
@testable import ControlProtocol
import EarshotTestSupport
import Media
import Testing

/// Random input: the hub never traps, answers every line with valid JSON, and stays within its bounds.
@Suite("Hub with random input")
struct HubFuzzTests {
    @Test("Random bytes get errors, and the client's next request gets its reply", arguments: 0..<20)
    func randomBytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var fixture = HubFixture()
        let (id, other) = (fixture.connect(), fixture.connect())
        let bytes = Self.garbage(&generator)
        Self.feed(bytes + [0x0A], to: id, &fixture, &generator)
        fixture.write("{\"id\":\"last\",\"method\":\"ping\"}\n{\"id\":1,\"method\":\"ping\"}\n", to: id)
        fixture.answerEverything()
        let lines = fixture.read(id)
        #expect(lines.last?["id"]?.integer == 1 && !lines.contains(.string("malformed")))
        #expect(fixture.read(other).isEmpty)
    }

    @Test("The replies do not depend on the division of the input into chunks", arguments: 0..<12)
    func chunks(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = Self.garbage(&generator) + [0x0A]
        // The hub replies to some requests itself, so the order among different requests may differ.
        var outcomes: [[String]] = []
        for seed in 0..<3 as Range<UInt64> {
            var chunking = SeededGenerator(seed: seed)
            var fixture = HubFixture()
            let id = fixture.connect()
            outcomes.append(Self.feed(bytes, to: id, &fixture, &chunking).map(\.description).sorted())
        }
        #expect(outcomes[0] == outcomes[1] && outcomes[1] == outcomes[2])
    }

    @Test("Random events, reads and subscriptions keep every outbox within its bounds", arguments: 0..<16)
    func randomTraffic(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var fixture = HubFixture()
        var clients = (0..<4).map { _ in fixture.connect() }
        var last: [ClientID: Int64] = [:]
        for _ in 0..<1000 {
            let id = clients[Int.random(in: 0..<clients.count, using: &generator)]
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: fixture.write(Self.line(&generator), to: id)
            case 1: for line in fixture.read(id) { Self.checkOrder(line, of: id, &last) }
            case 2: fixture.answerEverything()
            case 3 where seed % 8 == 0:
                fixture.hub.disconnect(id)
                clients.removeAll { $0 == id }
                clients.append(fixture.connect())
            default:
                let name = EventName.allCases[Int.random(in: 0..<EventName.allCases.count, using: &generator)]
                guard name != .gap else { continue }
                fixture.publish(name, String(repeating: "y", count: Int.random(in: 0..<4000, using: &generator)))
            }
        }
        fixture.answerEverything()
        for id in clients {
            while case let lines = fixture.read(id), !lines.isEmpty {
                #expect(!lines.contains(.string("malformed")))
                fixture.answerEverything()
            }
            fixture.write("{\"id\":1,\"method\":\"ping\"}\n", to: id)
            #expect(fixture.read(id).count == 1)
        }
    }

    private static func checkOrder(_ line: JSONValue, of id: ClientID, _ last: inout [ClientID: Int64]) {
        guard let number = line["params"]?["seq"]?.integer else { return }
        // A gap repeats the number of the last event that its snapshot includes.
        #expect(number >= last[id] ?? 0)
        last[id] = number
    }

    private static func line(_ generator: inout SeededGenerator) -> String {
        let topics = Topic.allCases.map { "\"\($0.rawValue)\"" }.shuffled(using: &generator).prefix(2)
        let lines = [
            "pause", "{\"id\":1,\"method\":\"ping\"}", "{\"id\":2,\"method\":\"x\"}",
            "{\"id\":3,\"method\":\"subscribe\",\"params\":{\"topics\":[\(topics.joined(separator: ","))]}}",
            "{\"id\":4,\"method\":\"player.status\"}", "{\"id\":5,\"method\":\"unsubscribe\"}",
        ]
        return lines[Int.random(in: 0..<lines.count, using: &generator)] + "\n"
    }

    /// Returns bytes with the structure of the protocol, damaged at random places.
    private static func garbage(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1..<20, using: &generator) {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes += (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case 1: bytes += Array(repeating: UInt8(ascii: "["), count: Int.random(in: 1..<70_000, using: &generator))
            case 2: bytes += Array("{\"id\":".utf8) + Array(repeating: UInt8(ascii: "9"), count: 400) + [0x7D]
            case 3: bytes += [0xC3, 0x28, 0xED, 0xA0, 0x80, 0xFF, 0x00]
            default: bytes += Array(line(&generator).utf8)
            }
        }
        for _ in 0..<bytes.count / 200 {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        return bytes
    }

    /// Feeds bytes in random chunks whenever the hub wants input, and returns the lines of the client.
    @discardableResult
    private static func feed(
        _ bytes: [UInt8], to id: ClientID, _ fixture: inout HubFixture, _ generator: inout SeededGenerator
    ) -> [JSONValue] {
        var (rest, lines) = (bytes[...], [JSONValue]())
        while !rest.isEmpty {
            if fixture.hub.wantsInput(id) {
                let chunk = rest.prefix(Int.random(in: 1...16_384, using: &generator))
                fixture.hub.receive(chunk, from: id, at: .zero)
                rest = rest.dropFirst(chunk.count)
            }
            fixture.answerEverything()
            lines += fixture.read(id)
        }
        return lines.filter { $0["params"] == nil }
    }
}

extension HubFixture {
    /// Answers all requests and snapshots in order until nothing is left to do.
    fileprivate mutating func answerEverything() {
        while case let inputs = hub.takeInputs(), !inputs.isEmpty {
            for input in inputs {
                switch input {
                case .request(let request): hub.reply(.success(.object([])), to: request.ticket, at: now)
                case .command(_, let ticket): hub.reply(.success(.null), to: ticket, at: now)
                case .snapshotWanted(let ticket): hub.deliver([], to: ticket, at: now)
                case .ticksWanted, .clientCount, .ownershipLost: break
                }
            }
        }
    }
}
