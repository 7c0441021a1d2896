// SPDX-License-Identifier: GPL-3.0-or-later

/// The events that a client wants.
struct EventSubscription: Sendable, Equatable {
    let topics: Set<Topic>
    /// The interval of additional `position` events while sound plays; `nil` for none.
    let ticks: Duration?
    /// The time of the last `position`.
    private var lastPosition: Duration?

    init(topics: Set<Topic>, ticks: Duration?) {
        (self.topics, self.ticks) = (topics, ticks)
    }

    /// Returns true if the client gets the event.
    ///
    /// A tick must be due: the owner sends them at the interval of the most demanding client, and one may come early by
    /// a quarter of the client's interval.
    mutating func accept(_ event: ControlEvent) -> Bool {
        guard event.name == .gap || topics.contains(event.name.topic) else { return false }
        guard event.name == .position else { return true }
        if event.isTick {
            guard let ticks else { return false }
            if let lastPosition, event.at - lastPosition < ticks * 3 / 4 { return false }
        }
        lastPosition = event.at
        return true
    }
}
