// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:soundbite`: an excerpt that advertises the episode.
public struct ParsedSoundbite: Sendable, Equatable {
    public var start: Duration
    public var duration: Duration
    /// The title, or `nil` to use the title of the episode.
    public var title: String?

    public init(start: Duration, duration: Duration, title: String? = nil) {
        self.start = start
        self.duration = duration
        self.title = title
    }
}
