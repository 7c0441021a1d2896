// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EarshotTestSupport
import Glibc
import Media

@testable import ControlSocket

/// A runtime directory for one test.
struct SocketFixture {
    static let limit = TimeLimit.event

    let scratch = ScratchDirectory()

    func folder(creates: Bool = true) throws -> RuntimeFolder {
        try RuntimeFolder.open(environment: ["XDG_RUNTIME_DIR": scratch.path], creates: creates)
    }

    func connect() throws -> ControlConnection {
        try ControlConnection(to: try folder(creates: false), within: Self.limit)
    }
}

/// A client that sends and reads plain text.
final class PlainClient {
    let stream: ControlStream
    private var received: [UInt8] = []

    init(_ fixture: SocketFixture) throws { stream = try ControlStream(to: try fixture.folder(creates: false)) }

    func write(_ bytes: some Sequence<UInt8>) throws {
        try stream.send(Array(bytes), until: MonotonicTime.now + SocketFixture.limit)
    }

    func write(_ text: String) throws { try write(text.utf8) }

    /// Closes the side for writing.
    func endInput() { shutdown(stream.socket.number, CInt(SHUT_WR)) }

    /// Makes the system keep few bytes for the client.
    func useSmallBuffer() {
        var size: CInt = 4096
        setsockopt(stream.socket.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Returns the next line; `nil` after the server closed the connection.
    func line() throws -> JSONValue? {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeSubrange(...end) }
                return try JSONValue(parsing: String(decoding: received[..<end], as: UTF8.self))
            }
            do throws(ControlConnection.Failure) {
                received += try stream.receive(until: MonotonicTime.now + SocketFixture.limit)
            } catch {
                guard error == .closed else { throw error }
                return nil
            }
        }
    }

    /// Returns lines until the server closes the connection.
    func linesToEnd() throws -> [JSONValue] {
        var lines: [JSONValue] = []
        while let line = try line() { lines.append(line) }
        return lines
    }
}
