// SPDX-License-Identifier: GPL-3.0-or-later
@testable import ControlProtocol
import Media
import Testing

@Suite("Requests")
struct ControlRequestTests {
    @Test("The owner greets a client first, with the client's name")
    func greeting() {
        var fixture = HubFixture()
        let id = fixture.hub.connect()
        let lines = fixture.read(id)
        #expect(lines.map { $0["method"]?.string } == ["hello"])
        #expect(lines.first?["params"]?["client"]?.string == id.name)
        #expect(lines.first?["params"]?["protocol"]?.integer == 1)
    }

    @Test(
        "A malformed request gets an error with its code",
        arguments: [
            ("{", -32700), ("{\"id\":1", -32700), ("{\"id\":1,\"method\":\"ping\"} x", -32700), ("{}", -32600),
            ("[]", -32600), ("[{\"id\":1,\"method\":\"ping\"}]", -32600), ("{\"id\":1.5,\"method\":\"ping\"}", -32600),
            ("{\"id\":null,\"method\":\"ping\"}", -32600), ("{\"id\":1,\"method\":7}", -32600),
            ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
            ("{\"id\":1,\"method\":\"nothing\"}", -32601), ("{\"id\":1,\"method\":\"ping\",\"params\":[]}", -32602),
            ("{\"id\":1,\"method\":\"ping\",\"params\":{\"a\":1}}", -32602),
            ("{\"id\":1,\"method\":\"player.seek\"}", -32602),
            ("{\"id\":1,\"method\":\"player.seek\",\"params\":{\"to\":5}}", -32602),
            ("{\"id\":1,\"method\":\"player.play\",\"params\":{\"targets\":[\"a\\u0000b\"]}}", -32602),
            ("{\"id\":1,\"method\":\"player.volume\",\"params\":{\"percent\":151}}", -32602),
            ("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"topics\":[\"x\"]}}", -32602),
            ("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"topics\":[],\"ticks\":0.1}}", -32602),
        ])
    func malformed(line: String, code: Int64) {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write(line + "\n{\"id\":2,\"method\":\"ping\"}\n", to: id)
        let lines = fixture.read(id)
        #expect(lines.first?["error"]?["code"]?.integer == code)
        #expect(lines.last == (try? JSONValue(parsing: #"{"jsonrpc":"2.0","id":2,"result":{}}"#)))
    }

    @Test("An unknown parameter is named")
    func unknownParameter() {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write(#"{"id":1,"method":"player.pause","params":{"soon":true}}"# + "\n", to: id)
        #expect(fixture.read(id).first?["error"]?["message"]?.string == "unknown parameter \"soon\"")
    }

    @Test("A request and a notification reach the owner; only the request gets a reply")
    func replies() throws {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write(#"{"method":"player.pause"}"# + "\n", to: id)
        fixture.write(#"{"id":"x","method":"player.seek","params":{"to":"+30"}}"# + "\r\n", to: id)
        let requests = fixture.hub.takeInputs().compactMap { input in
            if case .request(let request) = input { request } else { nil }
        }
        #expect(requests.map(\.method) == [.pause, .seek])
        #expect(requests.last?.parameters.text("to") == "+30")
        #expect(requests.map(\.ticket.cause) == [nil, .string("x")])
        for request in requests { fixture.hub.reply(.success(.null), to: request.ticket, at: .zero) }
        #expect(fixture.read(id) == [try JSONValue(parsing: #"{"jsonrpc":"2.0","id":"x","result":null}"#)])
    }

    @Test("A failure carries its kind and exit status")
    func failure() throws {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write(#"{"id":1,"method":"player.next"}"# + "\n", to: id)
        guard case .request(let request)? = fixture.hub.takeInputs().last else { throw ControlError.parse("none") }
        let failure = ControlError("there is no next item", kind: "missing", status: 66)
        fixture.hub.reply(.failure(failure), to: request.ticket, at: .zero)
        let error = try #require(fixture.read(id).first?["error"])
        #expect(error["code"]?.integer == -32000 && error["data"]?["kind"]?.string == "missing")
        #expect(ControlError(error) == failure)
    }

    @Test("A line that is not JSON is a command, and its reply is an answer")
    func command() throws {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write("\n  \nseek 45:00\nwrong\n", to: id)
        for input in fixture.hub.takeInputs() {
            guard case .command(let line, let ticket) = input else { continue }
            let result: Result<JSONValue, ControlError> =
                line == "wrong" ? .failure(.invalidParameters("unknown command")) : .success(.null)
            fixture.hub.reply(result, to: ticket, at: .zero)
        }
        #expect(
            fixture.read(id) == [
                try JSONValue(parsing: #"{"event":"answer","command":"seek 45:00","ok":true,"error":null}"#),
                try JSONValue(parsing: #"{"event":"answer","command":"wrong","ok":false,"error":"unknown command"}"#),
            ])
    }

    @Test(
        "At most 64 requests wait for a reply; the others stay unread until then",
        arguments: ["pause\n", "{\"method\":\"player.pause\"}\n"])
    func unanswered(line: String) {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write(String(repeating: line, count: 200), to: id)
        var count = 0
        while case let inputs = fixture.answerSome(), inputs > 0 {
            #expect(inputs <= 64)
            count += inputs
        }
        #expect(count == 200 && fixture.hub.wantsInput(id))
    }

    @Test("No request is read while 256 KiB of replies wait, and a client that then reads nothing is closed")
    func fullOfReplies() {
        var fixture = HubFixture()
        let (id, other) = (fixture.connect(), fixture.connect())
        for number in 0..<10_000 where fixture.hub.wantsInput(id) {
            fixture.write("{\"id\":\(number),\"method\":\"describe\"}\n", to: id)
        }
        #expect(!fixture.hub.wantsInput(id) && fixture.hub.wantsInput(other))
        #expect(fixture.hub.deadline == .seconds(60))
        #expect(fixture.hub.stalled(at: .seconds(59)).isEmpty)
        fixture.now = .seconds(50)
        fixture.hub.send(to: id, at: fixture.now) { _ in 10 }
        #expect(fixture.hub.stalled(at: .seconds(60)).isEmpty && fixture.hub.stalled(at: .seconds(110)) == [id])
        _ = fixture.read(id)
        #expect(fixture.hub.wantsInput(id) && fixture.hub.deadline == nil)
    }

    @Test("A half-closed client gets its replies, also for a line without an end, and is then finished")
    func halfClosed() {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.write("pause\nnext", to: id)
        fixture.hub.endInput(of: id, at: .zero)
        #expect(!fixture.hub.isFinished(id))
        #expect(fixture.answerSome() == 2 && !fixture.hub.isFinished(id))
        #expect(fixture.read(id).count == 2 && fixture.hub.isFinished(id))
    }

    @Test("The requests of a client that is gone are executed")
    func gone() {
        var fixture = HubFixture()
        let id = fixture.connect()
        fixture.subscribe(id)
        fixture.write(String(repeating: "next\n", count: 100), to: id)
        fixture.hub.endInput(of: id, at: .zero)
        fixture.hub.hangUp(id)
        var count = 0
        while case let commands = fixture.answerSome(), commands > 0 {
            count += commands
            _ = fixture.read(id)
        }
        #expect(count == 100 && fixture.hub.isFinished(id))
    }
}

extension HubFixture {
    /// Answers the requests that have arrived, and returns their number.
    fileprivate mutating func answerSome() -> Int {
        let tickets = hub.takeInputs().compactMap { input -> ReplyTicket? in
            switch input {
            case .command(_, let ticket): ticket
            case .request(let request): request.ticket
            default: nil
            }
        }
        for ticket in tickets { hub.reply(.success(.null), to: ticket, at: now) }
        return tickets.count
    }
}
