// SPDX-License-Identifier: GPL-3.0-or-later
public import ControlProtocol
public import ControlSocket
import Media
import Synchronization

/// An owner that answers every request, and publishes events for the command `flood COUNT`.
public final class EchoOwner: Sendable {
    private struct State {
        var server: ControlServer?
        var inputs: [ControlInput] = []
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: the folder of the socket.
    ///   - kind: the kind of process that the greeting names.
    public init(in folder: RuntimeFolder, as kind: Hello.Owner = .service) throws(ControlListener.Failure) {
        let listener = try ControlListener(in: folder)
        start(listener, kind)
    }

    public init(_ listener: ControlListener) { start(listener, .service) }

    private func start(_ listener: consuming ControlListener, _ kind: Hello.Owner) {
        let hello = Hello(version: "test", instance: "i", owner: kind, process: 1)
        // The lock keeps early inputs waiting until the server is stored.
        state.withLock { $0.server = ControlServer.start(listener, hello: hello) { [self] in handle($0) } }
    }

    /// The server; used after the start only.
    public var server: ControlServer? { state.withLock { $0.server } }

    /// The inputs so far, except snapshots.
    public var inputs: [ControlInput] { state.withLock { $0.inputs } }

    public func stop() {
        let server = state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        server?.stop()
    }

    private func handle(_ input: ControlInput) {
        guard let server else { return }
        switch input {
        case .snapshotWanted(let ticket):
            return server.deliver(ticket.topics.map { .init($0.rawValue, .object([])) }, to: ticket)
        case .request(let request):
            let result = JSONValue.object([.init("method", .string(request.method.rawValue))])
            server.reply(.success(result), to: request.ticket)
        case .command(let line, let ticket):
            if line.hasPrefix("flood ") { flood(server, Int(line.dropFirst(6)) ?? 0) }
            server.reply(.success(.null), to: ticket)
        case .ticksWanted, .clientCount, .ownershipLost: break
        }
        state.withLock { $0.inputs.append(input) }
    }

    private func flood(_ server: ControlServer, _ count: Int) {
        let text = JSONValue.Member("reason", .string(String(repeating: "x", count: 1000)))
        for _ in 0..<count { server.publish(ControlEvent(.state, [text], at: MonotonicTime.now)) }
    }
}
