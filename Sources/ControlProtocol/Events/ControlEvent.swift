// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An event for all subscribed clients.
public struct ControlEvent: Sendable, Equatable {
    public let name: EventName
    /// The keys of the event, besides `event`, `seq`, `at`, `by` and `cause`.
    public let members: [JSONValue.Member]
    /// The monotonic time of the event since the start of the system; that of the position for `position`.
    public let at: Duration
    /// The client or other control that caused it, such as `mpris`; `nil` if no control did.
    public let by: String?
    /// The request that caused it.
    public let cause: RequestID?
    /// True for a `position` that only clients with ticks receive.
    public let isTick: Bool

    public init(
        _ name: EventName, _ members: [JSONValue.Member], at: Duration, by: String? = nil, cause: RequestID? = nil,
        isTick: Bool = false
    ) {
        (self.name, self.members, self.at, self.by) = (name, members, at, by)
        (self.cause, self.isTick) = (cause, isTick)
    }

    /// Returns the line with its number.
    func line(sequence: Int64) -> ServerLine {
        .event(
            .object(
                [
                    .init("seq", .integer(sequence)), .init("at", .seconds(at)),
                    .init("by", .optional(by, JSONValue.string)), .init("cause", .optional(cause, \.json)),
                    .init("event", .string(name.rawValue)),
                ] + members))
    }

    /// The key under which a newer event replaces an unsent one; `nil` if every event is sent.
    var coalescingKey: String? { name.isCoalesced ? name.rawValue : nil }
}
