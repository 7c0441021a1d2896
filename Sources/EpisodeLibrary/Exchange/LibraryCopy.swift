// SPDX-License-Identifier: GPL-3.0-or-later
public import Podcasts

/// What a listener has, as one machine wrote it down for another: `earshot export --json`.
public struct LibraryCopy: Sendable, Equatable {
    public var podcasts: [Podcast] = []
    public var episodes: [Episode] = []
    /// For all podcasts.
    public var settings: [Setting] = []

    public init() {}

    /// A setting as it is stored.
    public struct Setting: Sendable, Equatable {
        public var key: String
        public var value: String
        /// When it was set; `nil` where that is not known.
        public var changed: UTCTime?

        public init(key: String, value: String, changed: UTCTime? = nil) {
            (self.key, self.value, self.changed) = (key, value, changed)
        }
    }

    public struct Podcast: Sendable, Equatable {
        /// Without user name and password, maybe also without its token.
        public var feedURL: String
        public var title: String?
        /// The listener's own.
        public var ownTitle: String?
        public var guid: String?
        public var folder: [String] = []
        public var subscribed: UTCTime?
        public var formerAddresses: [String] = []
        public var settings: [Setting] = []
        public var needsPassword = false

        public init(feedURL: String) { self.feedURL = feedURL }
    }

    public struct Episode: Sendable, Equatable {
        /// Of its podcast.
        public var feedURL: String
        public var guid: String?
        public var enclosureURL: String?
        public var title: String?
        public var published: UTCTime?

        public var position: Duration = .zero
        public var version: String?
        public var duration: Duration?
        public var played: UTCTime?
        public var finished: UTCTime?
        /// When it was marked by hand.
        public var marked: UTCTime?
        public var listened: [Range<Duration>] = []
        public var bookmarks: [Bookmark] = []
        /// From 1.
        public var queuePlace: Int?

        public init(feedURL: String) { self.feedURL = feedURL }

        /// When the listener last did something that moved the position or the mark.
        var changed: Int64 { [played, finished, marked].compactMap { $0?.secondsSince1970 }.max() ?? 0 }
        var hasPlayback: Bool { changed != 0 || position > .zero }
    }

    public struct Bookmark: Sendable, Equatable {
        public var position: Duration
        public var version: String?
        public var title: String?
        public var made: UTCTime

        public init(position: Duration, version: String? = nil, title: String? = nil, made: UTCTime) {
            (self.position, self.version, self.title, self.made) = (position, version, title, made)
        }
    }
}
