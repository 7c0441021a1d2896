// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlTestSupport
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import ControlSocket

@Suite("Control socket")
struct ControlServerTests {
    private let fixture = SocketFixture()
    private let owner: EchoOwner

    init() throws { owner = try EchoOwner(in: try fixture.folder()) }

    @Test("A command on a half-closed connection gets its answer, and the connection ends")
    func halfClosed() throws {
        let client = try PlainClient(fixture)
        try client.write("seek 45:00\npause")
        client.endInput()
        let lines = try client.linesToEnd()
        #expect(lines.first?["method"]?.string == "hello")
        #expect(lines.dropFirst().map { $0["command"]?.string } == ["seek 45:00", "pause"])
    }

    @Test("A client that closes immediately after its commands has them executed")
    func closedClient() throws {
        do {
            let client = try PlainClient(fixture)
            for _ in 0..<100 { try client.write("pause\n") }
        }
        // The owner handles clients in turns, so this reply comes after the commands have been read.
        var other = try fixture.connect()
        while owner.inputs.count(where: { if case .command = $0 { true } else { false } }) < 100 {
            _ = try other.call(.ping, within: SocketFixture.limit)
        }
    }

    @Test("64 clients are served, the next one is refused, and another one after a client leaves")
    func manyClients() throws {
        var clients = try (0..<64).map { _ in try PlainClient(fixture) }
        for client in clients {
            try client.write("{\"id\":1,\"method\":\"ping\"}\n")
            #expect(try client.line()?["method"]?.string == "hello")
            #expect(try client.line()?["id"]?.integer == 1)
        }
        #expect(throws: ControlConnection.Failure.self) { _ = try fixture.connect() }
        clients.removeFirst()
        // The owner may see the new client before the end of the old one.
        let folder = try fixture.folder(creates: false)
        while true {
            do throws(ControlConnection.Failure) {
                _ = try ControlConnection(to: folder, within: SocketFixture.limit)
                break
            } catch {
                guard case .refused = error else { throw error }
            }
        }
    }

    @Test(
        "Malformed input does not affect other clients",
        arguments: [
            Array("{\"id\":\n".utf8), Array(repeating: 0, count: 100_000) + [10],
            Array(repeating: UInt8(ascii: "x"), count: 1 << 20) + [10], Array("{\"id\":1".utf8), [0xFF, 0xFE, 10],
            Array(repeating: UInt8(ascii: "["), count: 60_000) + [10],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) throws {
        var other = try fixture.connect()
        let client = try PlainClient(fixture)
        try client.write(bytes)
        client.endInput()
        #expect(try client.linesToEnd().count >= 2)
        #expect(try other.call(.ping, within: SocketFixture.limit) == .object([]))
    }

    @Test("A subscriber that does not read gets a gap with a snapshot, and does not delay others")
    func slowClient() throws {
        let slow = try PlainClient(fixture)
        slow.useSmallBuffer()
        try slow.write(#"{"id":1,"method":"subscribe","params":{"topics":["player"]}}"# + "\n")
        #expect(try slow.line()?["method"]?.string == "hello" && slow.line()?["id"]?.integer == 1)
        let quick = try PlainClient(fixture)
        try quick.write(#"{"id":1,"method":"subscribe","params":{"topics":["player"]}}"# + "\n")
        var seen = 0
        for round in 0..<12 {
            try quick.write("flood 100\n")
            var isAnswered = false
            while !isAnswered || seen < (round + 1) * 100, let line = try quick.line() {
                if line["event"]?.string == "answer" { isAnswered = true }
                if line["params"]?["event"]?.string == "state" { seen += 1 }
            }
        }
        var last: JSONValue?
        while last == nil, let line = try slow.line() {
            if line["params"]?["event"] == .string("gap") { last = line }
        }
        #expect(last?["params"]?["snapshot"] == .object([.init("player", .object([]))]))
        #expect(last?["params"]?["seq"]?.integer == 1200)
    }

    @Test("A client with replies that it does not read is not read either, and later gets every reply")
    func manyReplies() throws {
        let client = try PlainClient(fixture)
        let stream = client.stream
        // The server stops reading for a while, so the writer waits for the reader.
        let writer = WorkerThread.start {
            let requests = String(repeating: "{\"id\":1,\"method\":\"describe\"}\n", count: 40)
            try? stream.send(Array(requests.utf8), until: nil)
            shutdown(stream.socket.number, CInt(SHUT_WR))
        }
        let lines = try client.linesToEnd()
        writer?.join()
        #expect(lines.count == 41)
    }

    @Test("A stopped owner closes its connections and removes its socket")
    func stop() throws {
        var client = try fixture.connect()
        owner.stop()
        #expect(throws: ControlConnection.Failure.closed) { try client.call(.ping, within: SocketFixture.limit) }
        #expect(fixture.scratch.names(in: "earshot") == ["control.lock"])
    }

    /// Connects as soon as the owner has a socket again.
    private func reconnect() throws -> ControlConnection {
        let end = MonotonicTime.now + SocketFixture.limit
        while true {
            let folder = try fixture.folder()
            do throws(ControlConnection.Failure) {
                return try ControlConnection(to: folder, within: SocketFixture.limit)
            } catch {
                guard error == .notRunning, MonotonicTime.now < end else { throw error }
            }
        }
    }

    @Test(
        "After another program has deleted the socket, the lock or the folder, clients reach the same owner",
        arguments: [["control"], ["control.lock"], ["control", "control.lock", ""]])
    func deleted(names: [String]) throws {
        var early = try fixture.connect()
        for name in names { remove(fixture.scratch.path("earshot/\(name)")) }
        var late = try reconnect()
        #expect(late.hello.instance == early.hello.instance)
        for _ in 0..<2 {
            #expect(try early.call(.ping, within: SocketFixture.limit) == .object([]))
            #expect(try late.call(.ping, within: SocketFixture.limit) == .object([]))
        }
        // The process is written with the lock held.
        let end = MonotonicTime.now + SocketFixture.limit
        while fixture.scratch.read("earshot/control.lock").isEmpty, MonotonicTime.now < end { usleep(1000) }
        #expect(throws: ControlListener.Failure.lock(.held(process: Int64(getpid())))) {
            try ControlListener(in: try fixture.folder())
        }
        owner.stop()
        #expect(fixture.scratch.names(in: "earshot") == ["control.lock"])
    }

    @Test("An owner whose files were deleted before its watch began listens again after a second")
    func deletedBeforeWatch() throws {
        let fixture = SocketFixture()
        let old = try ControlListener(in: try fixture.folder())
        remove(fixture.scratch.path("earshot/control"))
        var keeper = SocketKeeper(old, at: .zero)
        #expect(keeper.deadline == .seconds(1))
        try keeper.look(at: .seconds(1))
        #expect(keeper.listener !== old)
        #expect(fixture.scratch.names(in: "earshot") == ["control", "control.lock"])
        for second in 2...20 { try keeper.look(at: .seconds(second)) }
        #expect(keeper.deadline == nil)
    }

    @Test("An owner without a watch looks for its files every 10 seconds")
    func withoutWatch() throws {
        let fixture = SocketFixture()
        let old = try ControlListener(in: try fixture.folder())
        var keeper = SocketKeeper(old, at: .zero, watches: false)
        #expect(keeper.deadline == .seconds(10))
        try keeper.look(at: .seconds(10))
        #expect(keeper.listener === old && keeper.deadline == .seconds(20))
        remove(fixture.scratch.path("earshot/control"))
        try keeper.look(at: .seconds(20))
        #expect(keeper.listener !== old)
    }

    @Test("An owner learns that another process has taken the ownership in a new folder")
    func replaced() throws {
        let (scratch, old, new) = (ScratchDirectory(), SocketFixture(), SocketFixture())
        symlink(old.scratch.path, scratch.path("runtime"))
        let owner = try EchoOwner(
            in: try RuntimeFolder.open(environment: ["XDG_RUNTIME_DIR": scratch.path("runtime")], creates: true))
        let other = try ControlListener(in: try new.folder())
        symlink(new.scratch.path, scratch.path("new"))
        rename(scratch.path("new"), scratch.path("runtime"))
        remove(old.scratch.path("earshot/control"))
        let end = MonotonicTime.now + SocketFixture.limit
        while !owner.inputs.contains(.ownershipLost), MonotonicTime.now < end { usleep(1000) }
        #expect(owner.inputs.contains(.ownershipLost))
        withExtendedLifetime(other) {}
    }

    @Test("A socket whose path is too long for an address works")
    func longPath() throws {
        let scratch = ScratchDirectory()
        let path = scratch.path(String(repeating: "d", count: 120))
        mkdir(path, 0o700)
        let folder = try RuntimeFolder.open(environment: ["XDG_RUNTIME_DIR": path], creates: true)
        let owner = try EchoOwner(in: folder)
        var client = try ControlConnection(to: folder, within: SocketFixture.limit)
        #expect(try client.call(.ping, within: SocketFixture.limit) == .object([]))
        owner.stop()
    }
}
