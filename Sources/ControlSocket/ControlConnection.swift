// SPDX-License-Identifier: GPL-3.0-or-later
public import ControlProtocol
import Glibc
public import Media

/// A client's connection to the owner of playback, used by one thread. Each call has a time limit.
public struct ControlConnection: ~Copyable {
    public enum Failure: Error, Sendable, Equatable {
        /// Nothing plays: there is no owner, or it has no item.
        case notRunning
        /// The owner refused the request or the connection.
        case refused(ControlError)
        case timedOut
        /// The owner accepted the request to stop, but has not ended in time.
        case notEnded
        /// The owner closed the connection.
        case closed
        /// The socket belongs to another user, or its owner speaks another protocol.
        case foreign
        case system(SystemError)
    }

    public let hello: Hello
    let stream: ControlStream
    private(set) var exchange: ClientExchange
    /// Received events that `nextEvent` has not returned yet.
    private(set) var events: [JSONValue] = []

    /// Connects, and reads the greeting.
    public init(to folder: RuntimeFolder, within limit: Duration) throws(Failure) {
        let stream = try ControlStream(to: folder)
        var exchange = ClientExchange()
        hello = try Self.greeting(stream, &exchange, until: MonotonicTime.now + limit)
        (self.stream, self.exchange) = (stream, exchange)
    }

    private static func greeting(
        _ stream: ControlStream, _ exchange: inout ClientExchange, until deadline: Duration
    ) throws(Failure) -> Hello {
        while true {
            switch try lines(stream, &exchange, until: deadline).first {
            case .hello(let hello) where hello.protocolNumber == Hello.currentProtocol: return hello
            case .response(nil, .failure(let error)): throw .refused(error)
            case nil: continue
            default: throw .foreign
            }
        }
    }

    /// Sends a request and waits for its reply. Events that arrive before it are kept for `nextEvent`.
    public mutating func call(
        _ method: MethodName, _ parameters: [JSONValue.Member] = [], within limit: Duration
    ) throws(Failure) -> JSONValue {
        let deadline = MonotonicTime.now + limit
        let (id, bytes) = exchange.request(method, parameters)
        try stream.send(bytes, until: deadline)
        var result: Result<JSONValue, ControlError>?
        while result == nil {
            for line in try Self.lines(stream, &exchange, until: deadline) {
                switch line {
                case .response(id, let outcome): result = outcome
                case .event(let event): events.append(event)
                default: break
                }
            }
        }
        do throws(ControlError) { return try result?.get() ?? .null } catch { throw .refused(error) }
    }

    /// Returns the next event, or `nil` if none arrives within the limit.
    /// - Parameter limit: `nil` to wait without a limit.
    public mutating func nextEvent(within limit: Duration?) throws(Failure) -> JSONValue? {
        let deadline = limit.map { MonotonicTime.now + $0 }
        while events.isEmpty {
            do throws(Failure) {
                for case .event(let event) in try Self.lines(stream, &exchange, until: deadline) {
                    events.append(event)
                }
            } catch {
                guard error == .timedOut else { throw error }
                return nil
            }
        }
        return events.removeFirst()
    }

    private static func lines(
        _ stream: ControlStream, _ exchange: inout ClientExchange, until deadline: Duration?
    ) throws(Failure) -> [ServerLine] {
        let bytes = try stream.receive(until: deadline)
        do throws(ClientExchange.Failure) { return try exchange.receive(bytes) } catch { throw .foreign }
    }
}
