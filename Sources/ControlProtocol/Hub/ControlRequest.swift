// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The number of a connected client, never reused by the owner.
public struct ClientID: Hashable, Sendable {
    let number: Int

    /// The name in `by` of events and in `hello`.
    public var name: String { "client-\(number)" }

    package init(number: Int) { self.number = number }
}

/// The request that a reply belongs to. The owner answers each ticket exactly once, in any order.
public struct ReplyTicket: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case response(RequestID)
        /// The reply to a line of `--commands`.
        case answer(String)
        /// The request was a notification.
        case none
    }

    public let client: ClientID
    let form: Form

    /// The value of `cause` in the events of the request.
    public var cause: RequestID? { if case .response(let id) = form { id } else { nil } }
}

/// A request with valid parameters.
public struct ControlRequest: Sendable, Equatable {
    public let ticket: ReplyTicket
    public let method: MethodName
    public let parameters: ControlParameters
}

/// The parameters of a request: names and types are those of the method table.
public struct ControlParameters: Sendable, Equatable {
    let object: JSONValue

    public func text(_ name: String) -> String? { object[name]?.string }
    public func bool(_ name: String) -> Bool? { object[name]?.bool }
    public func integer(_ name: String) -> Int64? { object[name]?.integer }
    public func number(_ name: String) -> Double? { object[name]?.double }
    public func texts(_ name: String) -> [String]? { object[name]?.elements?.compactMap(\.string) }
    public func integers(_ name: String) -> [Int64]? { object[name]?.elements?.compactMap(\.integer) }
}

/// A snapshot that the owner delivers: the present state of each topic.
public struct SnapshotTicket: Sendable, Equatable {
    enum Purpose: Sendable, Equatable {
        /// - Parameter unsubscriptions: those of the client before the request.
        case subscription(EventSubscription, ReplyTicket, unsubscriptions: Int)
        case gap
    }

    let client: ClientID
    let purpose: Purpose
    public let topics: Set<Topic>
}

/// An input of the owner from its clients.
public enum ControlInput: Sendable, Equatable {
    case request(ControlRequest)
    /// A line of `--commands`; the owner answers with `reply`, whose result is not shown.
    case command(String, ReplyTicket)
    /// The owner delivers the state of the topics. It must do so in the order of its own events: the snapshot includes
    /// all events published before, and none published after.
    case snapshotWanted(SnapshotTicket)
    /// The owner publishes a `position` with `isTick` at this interval while sound plays; `nil` ends that.
    case ticksWanted(every: Duration?)
    /// The number of connected clients changed.
    case clientCount(Int)
    /// Another process owns playback, after the socket and the lock were deleted: this one must end.
    case ownershipLost
}
