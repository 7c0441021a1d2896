// SPDX-License-Identifier: GPL-3.0-or-later

/// A podcast as its feed describes it.
public struct Podcast: Sendable, Hashable {
    public let title: String?
    public let author: String?
    /// The URL of the podcast's web page.
    public let link: String?
    public let image: String?

    public init(title: String? = nil, author: String? = nil, link: String? = nil, image: String? = nil) {
        self.title = title
        self.author = author
        self.link = link
        self.image = image
    }
}
