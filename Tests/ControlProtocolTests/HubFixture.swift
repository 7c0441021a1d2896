// SPDX-License-Identifier: GPL-3.0-or-later
@testable import ControlProtocol
import Media

/// A hub with functions for tests: text in, lines out.
struct HubFixture {
    static let hello = Hello(version: "1.0", instance: "i1", owner: .service, process: 7)

    var hub = ControlHub(hello: Self.hello)
    var now = Duration.zero

    /// Connects a client that has read the greeting.
    mutating func connect() -> ClientID {
        let id = hub.connect()
        _ = read(id)
        return id
    }

    mutating func write(_ text: String, to id: ClientID) { hub.receive(Array(text.utf8), from: id, at: now) }

    /// Reads everything that a client can read.
    mutating func read(_ id: ClientID) -> [JSONValue] {
        var bytes: [UInt8] = []
        hub.send(to: id, at: now) { buffer in
            bytes += buffer
            return buffer.count
        }
        let lines = bytes.split(separator: 0x0A)
        return lines.map { (try? JSONValue(parsing: String(decoding: $0, as: UTF8.self))) ?? .string("malformed") }
    }

    /// Subscribes a client, and answers with an empty snapshot.
    mutating func subscribe(_ id: ClientID, _ topics: String = "\"player\"", ticks: String = "null") {
        write("{\"id\":0,\"method\":\"subscribe\",\"params\":{\"topics\":[\(topics)],\"ticks\":\(ticks)}}\n", to: id)
        answerSnapshots()
        _ = read(id)
    }

    /// Delivers a snapshot for each ticket. Returns the other inputs.
    @discardableResult
    mutating func answerSnapshots(_ state: [JSONValue.Member] = []) -> [ControlInput] {
        hub.takeInputs().filter { input in
            guard case .snapshotWanted(let ticket) = input else { return true }
            hub.deliver(state, to: ticket, at: now)
            return false
        }
    }

    /// Publishes an event of which the text makes the line longer.
    mutating func publish(_ name: EventName, _ text: String = "", isTick: Bool = false) {
        hub.publish(
            ControlEvent(name, [.init("text", .string(text))], at: now, isTick: isTick))
    }
}

extension [JSONValue] {
    /// The names of the events among the lines.
    var eventNames: [String] { compactMap { $0["params"]?["event"]?.string } }
    /// The texts of the events among the lines.
    var texts: [String] { compactMap { $0["params"]?["text"]?.string } }
}
