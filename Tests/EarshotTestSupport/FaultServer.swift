// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// An HTTP/1.1 server on the loopback interface that misbehaves according to scripts; it tests how a client reacts.
///
/// Each path has a list of scripts: the k-th request gets the k-th script, later requests the last one. Each
/// connection has a thread and stays open between requests. `stop` and `deinit` close every connection and wait for
/// the threads.
public final class FaultServer: Sendable {
    /// Returns the script for a request; the second argument is the number of earlier requests for the same path.
    public typealias Handler = @Sendable (FaultRequest, Int) -> FaultScript

    /// The error thrown when the system refuses a socket.
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

    /// The host and port.
    public var authority: String { "\(host.rawValue):\(port)" }

    /// Returns the address of a path.
    public func url(_ path: String) -> String { "http://\(authority)\(path)" }

    /// Answers the k-th request for `path` with the k-th script, and later requests with the last one.
    public func serve(_ path: String, _ scripts: [FaultScript]) {
        handle(path) { _, count in scripts.isEmpty ? .status(404) : scripts[min(count, scripts.count - 1)] }
    }

    public func serve(_ path: String, _ scripts: FaultScript...) {
        serve(path, scripts)
    }

    /// Answers requests for `path` with the scripts that `handler` returns.
    public func handle(_ path: String, _ handler: @escaping Handler) {
        core.state.withLock { $0.routes[path] = handler }
    }

    /// Every request so far, in order of arrival; `bytesSent` grows while the server sends a body.
    public var requests: [FaultRequest] { core.state.withLock { $0.requests } }

    /// The number of connections so far, with or without a request.
    public var connections: Int { core.state.withLock { $0.connections } }

    /// The largest number of answers that were in progress at the same time, without those whose client has
    /// disconnected.
    public var mostAtOnce: Int { core.state.withLock { $0.mostAtOnce } }

    /// The number of connections so far, with or without a request.
    public var connectionCount: Int { core.state.withLock { $0.connections } }

    /// Returns the requests for `path` so far.
    public func requests(for path: String) -> [FaultRequest] { requests.filter { $0.path == path } }

    /// Stops the server. Calling it more than once has no effect.
    public func stop() {
        core.stop()
    }
}
