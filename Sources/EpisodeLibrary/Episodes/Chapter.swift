// SPDX-License-Identifier: GPL-3.0-or-later

/// A chapter of an episode.
public struct Chapter: Sendable, Hashable {
    /// The time from the beginning of the episode.
    public let start: Duration
    public let title: String?
    /// The URL of a web page about the chapter.
    public let url: String?
    public let image: String?

    public init(start: Duration, title: String? = nil, url: String? = nil, image: String? = nil) {
        self.start = start
        self.title = title
        self.url = url
        self.image = image
    }
}
