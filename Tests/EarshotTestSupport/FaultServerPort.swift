// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A TCP socket bound to a free port of a loopback address. The owner closes it.
struct LoopbackSocket {
    let descriptor: CInt
    let port: UInt16

    init(on host: LoopbackHost = .first) throws(FaultServer.Failure) {
        let family = host == .v6 ? AF_INET6 : AF_INET
        descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw FaultServer.Failure(description: "socket: errno \(errno)") }
        var address = host.socketAddress
        var length = socklen_t(host == .v6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        // The port has the same offset in both address families.
        port = UInt16(bigEndian: address.sin6_port)
        guard isBound else {
            close(descriptor)
            throw FaultServer.Failure(description: "bind: errno \(errno)")
        }
    }

    func listen() throws(FaultServer.Failure) {
        guard Glibc.listen(descriptor, 128) == 0 else {
            close(descriptor)
            throw FaultServer.Failure(description: "listen: errno \(errno)")
        }
    }
}

/// A port that refuses every connection as long as the object lives: no other process can bind it in that time.
public final class RefusingPort: Sendable {
    private let socket: LoopbackSocket
    public var port: UInt16 { socket.port }

    public init() throws(FaultServer.Failure) {
        socket = try LoopbackSocket()
    }

    deinit {
        close(socket.descriptor)
    }

    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
