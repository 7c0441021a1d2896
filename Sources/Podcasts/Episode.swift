// SPDX-License-Identifier: GPL-3.0-or-later

/// One item of a podcast.
public struct Episode: Sendable, Hashable, Identifiable {
    public let id: EpisodeID
    public let title: String?
    public let published: UTCTime?
    /// The duration that the publisher claims; the file itself may differ.
    public let declaredDuration: Duration?
    /// The audio; `nil` for an item without audio.
    public let enclosure: Enclosure?
    public let chapters: [Chapter]

    public init(
        id: EpisodeID, title: String? = nil, published: UTCTime? = nil, declaredDuration: Duration? = nil,
        enclosure: Enclosure? = nil, chapters: [Chapter] = []
    ) {
        self.id = id
        self.title = title
        self.published = published
        self.declaredDuration = declaredDuration
        self.enclosure = enclosure
        self.chapters = chapters
    }
}
