// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Testing

/// The transports that must fulfil the contract of `HTTPTransport` and `TransferReceiver`.
enum TransportKind: CaseIterable {
    case curl, scripted
}

/// The server's behaviour for one request.
private struct ServerBehaviour {
    var body: [UInt8] = pattern(300_000)
    /// The number of bytes after which the connection ends.
    var cut: Int?
    /// The number of bytes after which the server stalls.
    var stall: Int?
    static let etag = "\"1\""

    var script: FaultScript {
        FaultScript(body: body).with { script in
            script.etag = Self.etag
            if let cut { script = script.cut(after: cut) }
            if let stall { script = script.stalled(after: stall) }
        }
    }

    var answer: ScriptedTransport.Answer {
        let whole = ScriptedTransport.serve(body, etag: Self.etag, cut: cut, chunk: stall ?? 16384)
        guard stall != nil else { return whole }
        return { Array(whole($0).prefix(2)) + [.hold] }
    }
}

/// A transport and its servers: the k-th transfer reaches the k-th server, and later ones a refusing port.
private final class TransportUnderTest {
    let transport: any HTTPTransport
    private let server: FaultServer
    private let refusingPort: RefusingPort
    private let count: Int
    private var started = 0

    init(_ kind: TransportKind, _ farSides: ServerBehaviour...) throws {
        server = try FaultServer()
        refusingPort = try RefusingPort()
        count = farSides.count
        for (number, side) in farSides.enumerated() { server.serve("/\(number)", side.script) }
        transport =
            switch kind {
            case .curl: CurlTransport.quick()
            case .scripted: ScriptedTransport(farSides.map(\.answer))
            }
    }

    /// Starts the request with the address of the next server.
    func start(_ receiver: CapturingReceiver, asking request: HTTPRequest = HTTPRequest(url: "")) -> TransferID {
        var request = request
        request.url = started < count ? server.url("/\(started)") : refusingPort.url("/")
        started += 1
        return transport.start(request, receiver: receiver)
    }

    /// Returns the record after one more transfer has finished, so that no further call can follow.
    func all(of receiver: CapturingReceiver) async -> CapturingReceiver.Record {
        _ = await receiver.result
        let another = CapturingReceiver()
        _ = start(another)
        _ = await another.result
        return await receiver.result
    }

    func fetch(
        _ receiver: CapturingReceiver = CapturingReceiver(), asking request: HTTPRequest = HTTPRequest(url: "")
    ) async -> CapturingReceiver.Record {
        _ = start(receiver, asking: request)
        return await all(of: receiver)
    }
}

@Suite("HTTPTransport contract", .timeLimit(.minutes(TimeLimit.factor))) struct HTTPTransportContractTests {
    @Test("A transfer has one head, the whole body in order, and one outcome", arguments: TransportKind.allCases)
    func whole(kind: TransportKind) async throws {
        let side = ServerBehaviour()
        let record = try await TransportUnderTest(kind, side).fetch()
        #expect(record.order == [.head, .body, .finished] && record.outcome == .complete)
        #expect(record.head?.status == 200 && record.head?.contentLength == 300_000)
        let isEqual = record.body == side.body
        #expect(isEqual)
    }

    @Test("An empty body has a head and no body call", arguments: TransportKind.allCases)
    func empty(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind, ServerBehaviour(body: [])).fetch()
        #expect(record.calls == [.head, .finished] && record.outcome == .complete)
    }

    @Test("After a refused head only the outcome follows", arguments: TransportKind.allCases, [0, 300_000])
    func refusedHead(kind: TransportKind, count: Int) async throws {
        let subject = try TransportUnderTest(kind, ServerBehaviour(body: pattern(count)))
        let record = await subject.fetch(CapturingReceiver(acceptsHead: false))
        #expect(record.calls == [.head, .finished] && record.outcome == .refused)
    }

    @Test("A refused piece is the last one", arguments: TransportKind.allCases)
    func refusedBody(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind, ServerBehaviour()).fetch(CapturingReceiver(bodyLimit: 0))
        #expect(record.calls == [.head, .body, .finished] && record.outcome == .refused)
    }

    @Test("A body shorter than its length fails, and its bytes are counted", arguments: TransportKind.allCases)
    func short(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind, ServerBehaviour(cut: 123_456)).fetch()
        #expect(record.outcome == .failed(.closedEarly(received: 123_456)))
        #expect(record.order == [.head, .body, .finished] && record.body.count == 123_456)
    }

    @Test("If no server answers, only the failure is delivered", arguments: TransportKind.allCases)
    func nobody(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind).fetch()
        let isTold = if case .failed(.cannotConnect) = record.outcome { true } else { false }
        #expect(isTold, "\(String(describing: record.outcome))")
        #expect(record.calls == [.finished])
    }

    @Test(
        "A transfer cancelled in the body, even twice, ends once without further calls",
        arguments: TransportKind.allCases)
    func cancel(kind: TransportKind) async throws {
        let subject = try TransportUnderTest(kind, ServerBehaviour(stall: 50_000))
        let (reached, reach) = AsyncStream<TransferID>.makeStream()
        let receiver = CapturingReceiver { count, id in if count == 50_000 { reach.yield(id) } }
        let id = subject.start(receiver)
        #expect(await reached.first { _ in true } == id)
        for _ in 1...2 { subject.transport.cancel(id) }
        let record = await subject.all(of: receiver)
        #expect(record.order == [.head, .body, .finished] && record.outcome == .cancelled)
        #expect(record.ids == [id] && record.body.count == 50_000)
    }

    @Test(
        "A transfer cancelled immediately or by its receiver ends as cancelled",
        arguments: TransportKind.allCases, [true, false])
    func earlyCancel(kind: TransportKind, atOnce: Bool) async throws {
        let subject = try TransportUnderTest(kind, ServerBehaviour(stall: 1000))
        let receiver = CapturingReceiver { [transport = subject.transport] _, id in transport.cancel(id) }
        let id = subject.start(receiver)
        if atOnce { subject.transport.cancel(id) }
        let record = await subject.all(of: receiver)
        #expect([[.finished], [.head, .finished], [.head, .body, .finished]].contains(record.order))
        #expect(record.outcome == .cancelled)
    }

    @Test("Cancelling a finished or unknown transfer does nothing", arguments: TransportKind.allCases)
    func cancelUnknown(kind: TransportKind) async throws {
        let subject = try TransportUnderTest(kind, ServerBehaviour(), ServerBehaviour())
        let first = CapturingReceiver()
        let id = subject.start(first)
        _ = await first.result
        for number in id.number...id.number + 100 { subject.transport.cancel(TransferID(number)) }
        let second = await subject.fetch()
        #expect(second.outcome == .complete && second.ids.isDisjoint(with: [id]))
        #expect(await first.result.calls.filter { $0 == .finished }.count == 1)
    }

    @Test(
        "A requested part arrives as 206, and the whole body if the version differs", arguments: TransportKind.allCases)
    func range(kind: TransportKind) async throws {
        let side = ServerBehaviour()
        let subject = try TransportUnderTest(kind, side, side, side, side)
        let part = await subject.fetch(
            asking: HTTPRequest(url: "", range: 100_000, rangeEnd: 200_000, ifRange: ServerBehaviour.etag))
        #expect(part.head?.status == 206 && part.head?.contentRange == .part(100_000..<200_000, total: 300_000))
        let isPart = part.body == Array(side.body[100_000..<200_000])
        #expect(isPart)
        let whole = await subject.fetch(asking: HTTPRequest(url: "", range: 100_000, ifRange: "\"2\""))
        #expect(whole.head?.status == 200 && whole.body.count == 300_000)
    }

    @Test("A part after the end is a 416, which is not a failure of the transfer", arguments: TransportKind.allCases)
    func rangeBehindEnd(kind: TransportKind) async throws {
        let subject = try TransportUnderTest(kind, ServerBehaviour())
        let record = await subject.fetch(asking: HTTPRequest(url: "", range: 300_000))
        #expect(record.head?.status == 416 && record.head?.contentRange == .unsatisfied(total: 300_000))
        #expect(record.outcome == .complete)
    }

    @Test(
        "Concurrent transfers do not mix, and a waiting one does not block another", arguments: TransportKind.allCases)
    func atOnce(kind: TransportKind) async throws {
        let sides = [
            ServerBehaviour(body: pattern(40_000), stall: 20_000), ServerBehaviour(body: pattern(50_000).reversed()),
        ]
        let subject = try TransportUnderTest(kind, sides[0], sides[1])
        let (reached, reach) = AsyncStream<TransferID>.makeStream()
        let waiting = CapturingReceiver { count, id in if count == 20_000 { reach.yield(id) } }
        let id = subject.start(waiting)
        _ = await reached.first { _ in true }
        let other = await subject.fetch()
        subject.transport.cancel(id)
        let part = await subject.all(of: waiting)
        #expect(other.outcome == .complete && part.outcome == .cancelled && other.ids.isDisjoint(with: part.ids))
        let areEqual = other.body == sides[1].body && part.body == Array(sides[0].body[..<20_000])
        #expect(areEqual)
    }
}
