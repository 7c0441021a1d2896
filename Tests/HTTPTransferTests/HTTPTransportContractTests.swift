// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Testing

/// The transports that must all behave as `HTTPTransport` and `TransferReceiver` say.
enum TransportKind: CaseIterable {
    case curl, scripted
}

/// What the far side does about one request.
private struct FarSide {
    var body: [UInt8] = pattern(300_000)
    /// The connection ends behind so many bytes.
    var cut: Int?
    /// Nothing more comes behind so many bytes.
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

/// A transport with a far side; the k-th transfer meets the k-th of them, and behind the last there is nobody.
private final class TransportUnderTest {
    let transport: any HTTPTransport
    private let server: FaultServer
    private let nobody: RefusingPort
    private let count: Int
    private var started = 0

    init(_ kind: TransportKind, _ farSides: FarSide...) throws {
        server = try FaultServer()
        nobody = try RefusingPort()
        count = farSides.count
        for (number, side) in farSides.enumerated() { server.serve("/\(number)", side.script) }
        transport =
            switch kind {
            case .curl: CurlTransport.quick()
            case .scripted: ScriptedTransport(farSides.map(\.answer))
            }
    }

    /// The address is filled in.
    func start(_ receiver: CapturingReceiver, asking request: HTTPRequest = HTTPRequest(url: "")) -> TransferID {
        var request = request
        request.url = started < count ? server.url("/\(started)") : nobody.url("/")
        started += 1
        return transport.start(request, receiver: receiver)
    }

    /// What came, once nothing more can come: one more transfer has run behind the outcome.
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

@Suite("HTTPTransport contract", .timeLimit(.minutes(1))) struct HTTPTransportContractTests {
    @Test("one head, the body whole and in order, one outcome", arguments: TransportKind.allCases)
    func whole(kind: TransportKind) async throws {
        let side = FarSide()
        let record = try await TransportUnderTest(kind, side).fetch()
        #expect(record.order == [.head, .body, .finished] && record.outcome == .complete)
        #expect(record.head?.status == 200 && record.head?.contentLength == 300_000)
        let isEqual = record.body == side.body
        #expect(isEqual)
    }

    @Test("an empty body has a head and no call of its own", arguments: TransportKind.allCases)
    func empty(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind, FarSide(body: [])).fetch()
        #expect(record.calls == [.head, .finished] && record.outcome == .complete)
    }

    @Test("a head refused is followed by the outcome alone", arguments: TransportKind.allCases, [0, 300_000])
    func refusedHead(kind: TransportKind, count: Int) async throws {
        let subject = try TransportUnderTest(kind, FarSide(body: pattern(count)))
        let record = await subject.fetch(CapturingReceiver(acceptsHead: false))
        #expect(record.calls == [.head, .finished] && record.outcome == .refused)
    }

    @Test("a piece refused is the last", arguments: TransportKind.allCases)
    func refusedBody(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind, FarSide()).fetch(CapturingReceiver(bodyLimit: 0))
        #expect(record.calls == [.head, .body, .finished] && record.outcome == .refused)
    }

    @Test("a body shorter than its length has failed, and what came of it counts", arguments: TransportKind.allCases)
    func short(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind, FarSide(cut: 123_456)).fetch()
        let isTold = if case .failed(.brokenOff(received: 123_456, _)) = record.outcome { true } else { false }
        #expect(isTold, "\(String(describing: record.outcome))")
        #expect(record.order == [.head, .body, .finished] && record.body.count == 123_456)
    }

    @Test("where nobody is there, only the failure comes", arguments: TransportKind.allCases)
    func nobody(kind: TransportKind) async throws {
        let record = try await TransportUnderTest(kind).fetch()
        let isTold = if case .failed(.cannotConnect) = record.outcome { true } else { false }
        #expect(isTold, "\(String(describing: record.outcome))")
        #expect(record.calls == [.finished])
    }

    @Test("cancelled in the body, also twice, it ends once and nothing follows", arguments: TransportKind.allCases)
    func cancel(kind: TransportKind) async throws {
        let subject = try TransportUnderTest(kind, FarSide(stall: 50_000))
        let (reached, reach) = AsyncStream<TransferID>.makeStream()
        let receiver = CapturingReceiver { count, id in if count == 50_000 { reach.yield(id) } }
        let id = subject.start(receiver)
        #expect(await reached.first { _ in true } == id)
        for _ in 1...2 { subject.transport.cancel(id) }
        let record = await subject.all(of: receiver)
        #expect(record.order == [.head, .body, .finished] && record.outcome == .cancelled)
        #expect(record.ids == [id] && record.body.count == 50_000)
    }

    @Test("cancelled at once, or by its receiver, it ends so too", arguments: TransportKind.allCases, [true, false])
    func earlyCancel(kind: TransportKind, atOnce: Bool) async throws {
        let subject = try TransportUnderTest(kind, FarSide(stall: 1000))
        let receiver = CapturingReceiver { [transport = subject.transport] _, id in transport.cancel(id) }
        let id = subject.start(receiver)
        if atOnce { subject.transport.cancel(id) }
        let record = await subject.all(of: receiver)
        #expect([[.finished], [.head, .finished], [.head, .body, .finished]].contains(record.order))
        #expect(record.outcome == .cancelled)
    }

    @Test("cancelling what has ended or not yet begun does nothing", arguments: TransportKind.allCases)
    func cancelUnknown(kind: TransportKind) async throws {
        let subject = try TransportUnderTest(kind, FarSide(), FarSide())
        let first = CapturingReceiver()
        let id = subject.start(first)
        _ = await first.result
        for number in id.number...id.number + 100 { subject.transport.cancel(TransferID(number)) }
        let second = await subject.fetch()
        #expect(second.outcome == .complete && second.ids.isDisjoint(with: [id]))
        #expect(await first.result.calls.filter { $0 == .finished }.count == 1)
    }

    @Test("a part asked for comes as 206, the whole where the version is another", arguments: TransportKind.allCases)
    func range(kind: TransportKind) async throws {
        let side = FarSide()
        let subject = try TransportUnderTest(kind, side, side, side, side)
        let part = await subject.fetch(
            asking: HTTPRequest(url: "", range: 100_000, rangeEnd: 200_000, ifRange: FarSide.etag))
        #expect(part.head?.status == 206 && part.head?.contentRange == .part(100_000..<200_000, total: 300_000))
        let isPart = part.body == Array(side.body[100_000..<200_000])
        #expect(isPart)
        let whole = await subject.fetch(asking: HTTPRequest(url: "", range: 100_000, ifRange: "\"2\""))
        #expect(whole.head?.status == 200 && whole.body.count == 300_000)
    }

    @Test("a part behind the end is a 416, which is no failure of the transfer", arguments: TransportKind.allCases)
    func rangeBehindEnd(kind: TransportKind) async throws {
        let subject = try TransportUnderTest(kind, FarSide())
        let record = await subject.fetch(asking: HTTPRequest(url: "", range: 300_000))
        #expect(record.head?.status == 416 && record.head?.contentRange == .unsatisfied(total: 300_000))
        #expect(record.outcome == .complete)
    }

    @Test("transfers at once do not mix, and one that waits holds up no other", arguments: TransportKind.allCases)
    func atOnce(kind: TransportKind) async throws {
        let sides = [FarSide(body: pattern(40_000), stall: 20_000), FarSide(body: pattern(50_000).reversed())]
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
