// SPDX-License-Identifier: GPL-3.0-or-later

/// A named place within an episode.
public struct Chapter: Sendable, Hashable {
    /// From the episode's beginning.
    public let start: Duration
    public let title: String?
    /// What the chapter is about, on the web.
    public let url: String?
    public let image: String?

    public init(start: Duration, title: String? = nil, url: String? = nil, image: String? = nil) {
        self.start = start
        self.title = title
        self.url = url
        self.image = image
    }
}
