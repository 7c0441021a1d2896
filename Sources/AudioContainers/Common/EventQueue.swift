// SPDX-License-Identifier: GPL-3.0-or-later

/// The events that a parser has found and not yet returned. The queue reuses its memory.
struct EventQueue<Event: Sendable>: Sendable {
    private var events: [Event] = []
    private var next = 0

    var isEmpty: Bool { next == events.count }

    mutating func append(_ event: Event) { events.append(event) }

    /// Removes and returns the oldest event; `nil` if there is none.
    mutating func popFirst() -> Event? {
        guard !isEmpty else {
            events.removeAll(keepingCapacity: true)
            next = 0
            return nil
        }
        defer { next += 1 }
        return events[next]
    }

    /// Removes the events that satisfy a condition.
    mutating func removeAll(where isUnwanted: (Event) -> Bool) {
        events.removeFirst(next)
        next = 0
        events.removeAll(where: isUnwanted)
    }
}
