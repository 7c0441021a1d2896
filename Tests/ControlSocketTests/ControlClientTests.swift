// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlTestSupport
import Glibc
import Media
import Synchronization
import Testing

@testable import ControlSocket

@Suite("Clients")
struct ControlClientTests {
    private let fixture = SocketFixture()
    private let subscription: [JSONValue.Member] = [.init("topics", .array([.string("player")]))]

    @Test("Without an owner, a connection fails immediately")
    func notRunning() throws {
        _ = try fixture.folder()
        #expect(throws: ControlConnection.Failure.notRunning) { _ = try fixture.connect() }
    }

    @Test("An owner that accepts no connection is a timeout, not an endless wait")
    func silentOwner() throws {
        let listener = try ControlListener(in: try fixture.folder())
        let folder = try fixture.folder()
        #expect(throws: ControlConnection.Failure.timedOut) {
            _ = try ControlConnection(to: folder, within: .milliseconds(10))
        }
        withExtendedLifetime(listener) {}
    }

    @Test("Many clients can connect together before the owner accepts the first")
    func crowd() throws {
        let folder = try fixture.folder()
        let listener = try ControlListener(in: folder)
        let clients = try (0..<200).map { _ in try ControlStream(to: folder) }
        withExtendedLifetime((listener, clients)) {}
    }

    @Test("Replies match requests, and events that arrive before a reply are kept")
    func blocking() throws {
        let owner = try EchoOwner(in: try fixture.folder())
        var client = try fixture.connect()
        #expect(client.hello.version == "test" && client.hello.client == "client-1")
        #expect(try client.call(.subscribe, subscription, within: SocketFixture.limit)["seq"] == .integer(0))
        owner.server?.publish(ControlEvent(.ended, [], at: .zero, by: "mpris"))
        let result = try client.call(.status, within: SocketFixture.limit)
        #expect(result["method"]?.string == "player.status")
        let event = try client.nextEvent(within: SocketFixture.limit)
        #expect(event?["event"]?.string == "ended" && event?["by"]?.string == "mpris")
        #expect(try client.nextEvent(within: .milliseconds(1)) == nil)
    }

    @Test("A rejected request throws the error of the owner")
    func rejected() throws {
        let owner = try EchoOwner(in: try fixture.folder())
        var client = try fixture.connect()
        do throws(ControlConnection.Failure) {
            _ = try client.call(.seek, within: SocketFixture.limit)
            Issue.record("no error")
        } catch {
            guard case .refused(let failure) = error else { throw error }
            #expect(failure.code == -32602)
        }
        owner.stop()
    }

    @Test("A link receives replies and events in order, and the end of the owner")
    func link() async throws {
        let owner = try EchoOwner(in: try fixture.folder())
        let (events, send) = AsyncStream.makeStream(of: JSONValue.self)
        let (endings, end) = AsyncStream.makeStream(of: ControlConnection.Failure.self)
        let link = try #require(
            ControlLink.start(try fixture.connect(), receive: { send.yield($0) }, ended: { end.yield($0) }))
        _ = try await link.call(.subscribe, subscription)
        for number in 0..<100 as Range<Int64> {
            owner.server?.publish(ControlEvent(.volume, [.init("volume", .integer(number))], at: .zero))
        }
        var numbers: [Int64] = []
        for await event in events {
            numbers.append(event["volume"]?.integer ?? -1)
            if numbers.count == 100 { break }
        }
        #expect(numbers == Array(0..<100))
        await withTaskGroup(of: JSONValue?.self) { group in
            for _ in 0..<200 { group.addTask { try? await link.call(.status) } }
            for await reply in group { #expect(reply?["method"]?.string == "player.status") }
        }
        owner.stop()
        for await ending in endings {
            #expect(ending == .closed)
            break
        }
        await #expect(throws: ControlConnection.Failure.closed) { try await link.call(.ping) }
        link.close()
    }

    @Test("A closed link answers open requests, and reports no end")
    func closedLink() throws {
        // This owner never accepts the connection's requests.
        let fixture = SocketFixture()
        let owner = try EchoOwner(in: try fixture.folder())
        let ended = Atomic(false)
        let failures = Mutex<[ControlLink.Reply]>([])
        try withExtendedLifetime(owner) {
            let link = try #require(
                ControlLink.start(
                    try fixture.connect(), receive: { _ in }, ended: { _ in ended.store(true, ordering: .relaxed) }))
            link.call(.ping) { reply in failures.withLock { $0.append(reply) } }
            link.close()
        }
        #expect(failures.withLock { $0.count } == 1 && !ended.load(ordering: .relaxed))
    }
}
