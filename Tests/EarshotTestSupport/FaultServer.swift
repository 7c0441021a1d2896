// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// An HTTP/1.1 server on this machine's loopback that misbehaves by script; for tests of what a client does about it.
///
/// Each path has a list of scripts: the k-th request for it gets the k-th, later ones the last. One thread for each
/// connection, keep-alive. `stop` (or the end of the object's life) ends every connection and waits for the threads.
public final class FaultServer: Sendable {
    /// Picks the script for a request; the count of earlier requests for the same path comes with it.
    public typealias Handler = @Sendable (FaultRequest, Int) -> FaultScript

    /// The system refuses a socket.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let port: UInt16
    private let host: LoopbackHost
    private let core: FaultServerCore

    public init(
        _ routes: [String: [FaultScript]] = [:], on host: LoopbackHost = .first
    ) throws(Failure) {
        let socket = try LoopbackSocket(on: host)
        try socket.listen()
        port = socket.port
        self.host = host
        core = FaultServerCore(listener: socket.descriptor)
        for (path, scripts) in routes { serve(path, scripts) }
        core.run()
    }

    deinit {
        core.stop()
    }

    /// Host and port.
    public var authority: String { "\(host.rawValue):\(port)" }

    public func url(_ path: String) -> String { "http://\(authority)\(path)" }

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

    /// Connections so far, with a request or without.
    public var connections: Int { core.state.withLock { $0.connections } }

    /// The most answers that were under way at the same time. One whose client has gone is not.
    public var mostAtOnce: Int { core.state.withLock { $0.mostAtOnce } }

    /// Connections so far, also those that asked nothing.
    public var connectionCount: Int { core.state.withLock { $0.connections } }

    public func requests(for path: String) -> [FaultRequest] { requests.filter { $0.path == path } }

    /// May be called more than once.
    public func stop() {
        core.stop()
    }
}
