// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 that misbehaves by script; for tests of what a client does about it.
///
/// Each path has a list of scripts: the k-th request for it gets the k-th, later ones the last. One thread for each
/// connection, keep-alive. `stop` (or the end of the object's life) ends every connection and waits for the threads.
public final class FaultServer: Sendable {
    /// Picks the script for a request; the count of earlier requests for the same path comes with it.
    public typealias Handler = @Sendable (FaultRequest, Int) -> FaultScript

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let port: UInt16
    private let core: FaultServerCore

    public init(_ routes: [String: [FaultScript]] = [:]) throws(Failure) {
        let (listener, port) = try Self.listen()
        self.port = port
        core = FaultServerCore(listener: listener)
        for (path, scripts) in routes { serve(path, scripts) }
        core.run()
    }

    deinit {
        core.stop()
    }

    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    public func serve(_ path: String, _ scripts: [FaultScript]) {
        handle(path) { _, count in scripts.isEmpty ? .status(404) : scripts[min(count, scripts.count - 1)] }
    }

    public func serve(_ path: String, _ scripts: FaultScript...) {
        serve(path, scripts)
    }

    public func handle(_ path: String, _ handler: @escaping Handler) {
        core.state.withLock { $0.routes[path] = handler }
    }

    /// Every request so far, in the order of arrival; `bytesSent` grows while a body goes out.
    public var requests: [FaultRequest] { core.state.withLock { $0.requests } }

    public func requests(for path: String) -> [FaultRequest] { requests.filter { $0.path == path } }

    /// May be called more than once.
    public func stop() {
        core.stop()
    }
}

extension FaultServer {
    private static func listen() throws(Failure) -> (CInt, UInt16) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: errno \(errno)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && Glibc.listen(descriptor, 128) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw Failure(description: "bind: errno \(errno)")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
