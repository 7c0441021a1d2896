// SPDX-License-Identifier: GPL-3.0-or-later

/// A chapter of an episode.
public struct Chapter: Sendable, Hashable {
    /// The picture of a chapter.
    public enum Image: Sendable, Hashable {
        case url(String)
        /// A picture inside the audio file.
        case stored(StoredPicture)
    }

    /// The time from the beginning of the episode.
    public var start: Duration
    /// The stated end; `nil` if the chapter lasts until the next one begins.
    public var end: Duration?
    public var title: String?
    /// The URL of a web page about the chapter.
    public var url: String?
    public var image: Image?
    /// False for a chapter that only changes the picture or the link while another chapter lasts: a list of chapters
    /// does not contain it, and a skip passes over it.
    public var isInTableOfContents: Bool

    public init(
        start: Duration, end: Duration? = nil, title: String? = nil, url: String? = nil, image: Image? = nil,
        isInTableOfContents: Bool = true
    ) {
        self.start = start
        self.end = end
        self.title = title
        self.url = url
        self.image = image
        self.isInTableOfContents = isInTableOfContents
    }

    /// The URL of the picture; `nil` without a picture, and for a picture inside the audio file.
    public var imageURL: String? { if case .url(let url) = image { url } else { nil } }

    /// Returns a copy with a missing title, URL or picture filled from `other`.
    public func completed(by other: Chapter) -> Chapter {
        Chapter(
            start: start, end: end, title: title ?? other.title, url: url ?? other.url, image: image ?? other.image,
            isInTableOfContents: isInTableOfContents)
    }
}
