// SPDX-License-Identifier: GPL-3.0-or-later
public import ControlProtocol
import Glibc
public import Media
import Synchronization

/// A connection to the owner with a thread of its own, for a client that waits for other things as well, such as keys.
public final class ControlLink: Sendable {
    public typealias Reply = Result<JSONValue, ControlConnection.Failure>

    private let core: LinkCore
    private let thread: WorkerThread
    public let hello: Hello

    /// Continues an open connection on a new thread.
    /// - Parameters:
    ///   - receive: gets the events in order, on that thread; first those that the connection has kept.
    ///   - ended: gets the reason once when the connection ends, after all replies; not after `close`.
    /// - Returns: `nil` if the system cannot create another thread.
    public static func start(
        _ connection: consuming ControlConnection, receive: @escaping @Sendable (JSONValue) -> Void,
        ended: @escaping @Sendable (ControlConnection.Failure) -> Void
    ) -> ControlLink? {
        let (events, hello) = (connection.events, connection.hello)
        let core = LinkCore(connection.stream, connection.exchange)
        let thread = WorkerThread.start {
            for event in events { receive(event) }
            core.run(receive: receive, ended: ended)
        }
        return thread.map { ControlLink(core, $0, hello) }
    }

    private init(_ core: LinkCore, _ thread: WorkerThread, _ hello: Hello) {
        (self.core, self.thread, self.hello) = (core, thread, hello)
    }

    /// Sends a request.
    /// - Parameter receive: gets the reply, or `closed` if the connection ends before, on the thread of the link.
    public func call(
        _ method: MethodName, _ parameters: [JSONValue.Member] = [], receive: @escaping @Sendable (Reply) -> Void
    ) { core.send(method, parameters, receive) }

    /// Sends a request and returns its reply.
    public func call(
        _ method: MethodName, _ parameters: [JSONValue.Member] = []
    ) async throws(ControlConnection.Failure) -> JSONValue {
        let reply = await withCheckedContinuation { continuation in
            core.send(method, parameters) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Closes the connection and waits for its thread. To be called once.
    public func close() {
        core.close()
        thread.join()
    }
}

/// The part of a link that its thread uses.
private final class LinkCore: Sendable {
    typealias Failure = ControlConnection.Failure

    private struct State {
        var exchange: ClientExchange
        var unsent: ArraySlice<UInt8> = []
        /// The receivers of replies; `nil` after the connection has ended.
        var receivers: [RequestID: @Sendable (ControlLink.Reply) -> Void]? = [:]
        var isClosing = false
    }

    private let state: Mutex<State>
    private let wake = WakeSignal()
    private let stream: ControlStream

    init(_ stream: ControlStream, _ exchange: ClientExchange) {
        self.stream = stream
        state = Mutex(State(exchange: exchange))
    }

    func send(
        _ method: MethodName, _ parameters: [JSONValue.Member],
        _ receive: @escaping @Sendable (ControlLink.Reply) -> Void
    ) {
        let isOpen = state.withLock { state in
            guard state.receivers != nil else { return false }
            let (id, bytes) = state.exchange.request(method, parameters)
            state.receivers?[id] = receive
            state.unsent += bytes
            return true
        }
        if isOpen { wake.signal() } else { receive(.failure(.closed)) }
    }

    func close() {
        state.withLock { $0.isClosing = true }
        wake.signal()
    }

    func run(receive: (JSONValue) -> Void, ended: (Failure) -> Void) {
        var failure: Failure?
        do throws(Failure) { try serve(receive) } catch { failure = error }
        let receivers = state.withLock { state in
            defer { state.receivers = nil }
            return state.receivers ?? [:]
        }
        for receiver in receivers.values { receiver(.failure(.closed)) }
        if let failure { ended(failure) }
    }

    /// Returns when the link is closed here.
    private func serve(_ receive: (JSONValue) -> Void) throws(Failure) {
        while !state.withLock({ $0.isClosing }) {
            let hasUnsent = try sendUnsent()
            var entries = [
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(
                    fd: stream.socket.number, events: Int16(hasUnsent ? POLLIN | POLLOUT : POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0 else { continue }
            if entries[0].revents != 0 { wake.clear() }
            guard entries[1].revents & ~Int16(POLLOUT) != 0, let bytes = try stream.receiveNow() else { continue }
            try handle(bytes, receive)
        }
    }

    /// - Returns: true if bytes are left that the owner cannot take yet.
    private func sendUnsent() throws(Failure) -> Bool {
        while true {
            let bytes = state.withLock { $0.unsent }
            if bytes.isEmpty { return false }
            let count = try stream.sendNow(bytes)
            if count == 0 { return true }
            state.withLock { $0.unsent = $0.unsent.dropFirst(count) }
        }
    }

    private func handle(_ bytes: [UInt8], _ receive: (JSONValue) -> Void) throws(Failure) {
        let lines: [ServerLine]
        do throws(ClientExchange.Failure) {
            lines = try state.withLock { state throws(ClientExchange.Failure) in try state.exchange.receive(bytes) }
        } catch {
            throw .foreign
        }
        for line in lines {
            switch line {
            case .event(let event): receive(event)
            case .response(let id?, let result):
                let receiver = state.withLock { $0.receivers?.removeValue(forKey: id) }
                receiver?(result.mapError(Failure.refused))
            default: break
            }
        }
    }
}
