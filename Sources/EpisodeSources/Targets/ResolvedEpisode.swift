// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// An episode or file that the listener's input was resolved to: its title and the origin of its bytes.
public struct ResolvedEpisode: Sendable, Equatable {
    /// The origin of the bytes.
    public enum Origin: Sendable, Equatable {
        /// A complete file at this path.
        case file(path: String)
        case remote(RemoteEnclosure)

        /// Returns the origin for an address that the listener entered.
        public static func remote(url: String) -> Origin { .remote(RemoteEnclosure(url: url)) }
    }

    public let title: String
    /// The podcast's title; `nil` for a file or URL without a podcast.
    public let podcast: String?
    /// The location for display, without credentials and query.
    public let location: String
    /// The duration that the feed claims.
    public let claimedDuration: Duration?
    public let origin: Origin
    /// The episode in the library; `nil` if the library does not have it.
    public let libraryEntry: LibraryEntry?
    /// The settings of a file or an address that the library does not have.
    public var settings = ItemSettings()
    /// The lists of chapters in the feed, for an episode that the library does not have.
    public let chapterLists: [ChapterList]

    /// The episode in the library and the listener's position in it.
    public struct LibraryEntry: Sendable, Equatable {
        public let episode: Int64
        /// The listener's position; `nil` is the beginning.
        public let position: TimeTarget?
        /// The duration of the last playback, else the one that the feed claims.
        public let expectedDuration: Duration?
        /// The settings of the podcast; `position` is the end of the introduction if the episode does not resume.
        public let settings: ItemSettings
        /// The author of the podcast.
        public let author: String?

        public init(
            episode: Int64, position: TimeTarget?, expectedDuration: Duration? = nil,
            settings: ItemSettings = ItemSettings(), author: String? = nil
        ) {
            self.episode = episode
            self.position = position
            self.expectedDuration = expectedDuration
            self.settings = settings
            self.author = author
        }
    }

    public init(
        title: String, podcast: String? = nil, location: String, claimedDuration: Duration? = nil, origin: Origin,
        place: LibraryEntry? = nil, chapterLists: [ChapterList] = []
    ) {
        self.title = title
        self.podcast = podcast
        self.location = location
        self.claimedDuration = claimedDuration
        self.origin = origin
        self.libraryEntry = place
        self.chapterLists = chapterLists
    }

    /// Returns the same episode with its position in the library and the file that the library keeps of it.
    func known(as other: ResolvedEpisode?) -> ResolvedEpisode {
        guard let other else { return self }
        var origin = origin
        if case .remote(let enclosure) = origin, case .remote(let kept) = other.origin {
            origin = .remote(enclosure.kept(as: kept))
        }
        return ResolvedEpisode(
            title: title, podcast: podcast, location: location, claimedDuration: claimedDuration, origin: origin,
            place: other.libraryEntry)
    }

    /// Returns the playlist item for the episode.
    /// - Parameters:
    ///   - sources: opens the bytes of the item.
    ///   - start: the start; `nil` starts at the listener's position.
    public func item(
        _ id: PlaybackItem.ID, in sources: EnclosureSources, from start: TimeTarget? = nil,
        until end: TimeTarget? = nil
    ) -> PlaybackItem {
        let settings = libraryEntry?.settings ?? self.settings
        return PlaybackItem(
            id: id, title: title, podcast: podcast, location: location, claimedDuration: claimedDuration,
            expectedDuration: libraryEntry?.expectedDuration, start: start ?? libraryEntry?.position, end: end,
            introduction: settings.introduction, skippedEnd: end == nil ? settings.skippedEnd : nil,
            isResumed: start == nil, keepsPlace: libraryEntry != nil, sound: settings.sound,
            skipsHiddenChapters: settings.skipsHiddenChapters, rewind: settings.rewind,
            source: EnclosureSource(episode: self, sources: sources))
    }
}
