// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:soundbite`: a passage of the episode to advertise it with.
public struct ParsedSoundbite: Sendable, Equatable {
    public var start: Duration
    public var duration: Duration
    /// Nil: the episode's own title is meant.
    public var title: String?

    public init(start: Duration, duration: Duration, title: String? = nil) {
        self.start = start
        self.duration = duration
        self.title = title
    }
}
