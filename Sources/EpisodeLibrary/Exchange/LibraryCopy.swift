// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The listener's data, as another machine exported it with `earshot export --json`.
public struct LibraryCopy: Sendable, Equatable {
    public var podcasts: [Podcast] = []
    public var episodes: [Episode] = []
    /// The settings for all podcasts.
    public var settings: [Setting] = []
    public var smartQueues: [SmartQueue] = []
    /// How long podcasts were heard that were no longer in the library.
    public var formerListening: [Listening] = []

    public init() {}

    /// A setting in its stored form.
    public struct Setting: Sendable, Equatable {
        public var key: String
        public var value: String
        /// The time of the last change; `nil` if it is not known.
        public var changed: UTCTime?

        public init(key: String, value: String, changed: UTCTime? = nil) {
            (self.key, self.value, self.changed) = (key, value, changed)
        }
    }

    /// A smart queue of the copy.
    public struct SmartQueue: Sendable, Equatable {
        public var name: String
        /// The address of its podcast's feed; `nil` unless it selects from one podcast.
        public var feedURL: String?
        /// The group it selects from; `nil` unless it selects from one group.
        public var group: String?
        public var newestFirst: Bool
        /// The greatest number of episodes, in `SmartQueue.limits`.
        public var most: Int

        public init(name: String, feedURL: String? = nil, group: String? = nil, newestFirst: Bool, most: Int) {
            (self.name, self.feedURL, self.group) = (name, feedURL, group)
            (self.newestFirst, self.most) = (newestFirst, most)
        }
    }

    /// A podcast of the copy.
    public struct Podcast: Sendable, Equatable {
        /// The address without user name and password, possibly without its token.
        public var feedURL: String
        public var title: String?
        /// The title that the listener gave to the podcast.
        public var ownTitle: String?
        public var guid: String?
        public var folder: [String] = []
        public var subscribed: UTCTime?
        public var formerAddresses: [String] = []
        public var settings: [Setting] = []
        public var listening: [Listening] = []
        public var needsPassword = false

        public init(feedURL: String) { self.feedURL = feedURL }
    }

    /// An episode of the copy.
    public struct Episode: Sendable, Equatable {
        /// The address of the podcast's feed.
        public var feedURL: String
        public var guid: String?
        public var enclosureURL: String?
        public var title: String?
        public var published: UTCTime?

        public var position: Duration = .zero
        /// The packet from which an estimated position counts.
        public var anchor: TimeAnchor?
        public var version: String?
        public var duration: Duration?
        public var played: UTCTime?
        public var finished: UTCTime?
        /// The time at which the listener marked the episode.
        public var marked: UTCTime?
        public var listened: [Range<Duration>] = []
        public var bookmarks: [Bookmark] = []
        /// The listener's corrections of the transcript's times.
        public var transcriptShifts = TranscriptShifts()
        /// The position in the queue, from 1.
        public var queuePlace: Int?
        /// The identifiers of the episodes that were merged into this one.
        public var merged = MergedIdentifiers()

        public init(feedURL: String) { self.feedURL = feedURL }

        /// The time of the listener's last action that changed the position or the mark.
        var changed: Int64 { [played, finished, marked].compactMap { $0?.secondsSince1970 }.max() ?? 0 }
        var hasPlayback: Bool { changed != 0 || position > .zero }
    }

    /// A bookmark of the copy.
    public struct Bookmark: Sendable, Equatable {
        public var position: Duration
        /// The packet from which an estimated position counts.
        public var anchor: TimeAnchor?
        public var version: String?
        public var title: String?
        public var made: UTCTime

        public init(
            position: Duration, from anchor: TimeAnchor? = nil, version: String? = nil, title: String? = nil,
            made: UTCTime
        ) {
            (self.position, self.anchor) = (position, anchor)
            (self.version, self.title, self.made) = (version, title, made)
        }
    }
}
