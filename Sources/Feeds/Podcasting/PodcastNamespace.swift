// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// `podcast:license`.
public struct ParsedLicense: Sendable, Equatable {
    /// An SPDX identifier, or a name chosen by the publisher.
    public var identifier: String
    public var url: String?

    public init(identifier: String, url: String? = nil) {
        self.identifier = identifier
        self.url = url
    }
}

/// `podcast:location`: the subject of the show or episode, not the location where it was made.
public struct ParsedLocation: Sendable, Equatable {
    /// The name for display.
    public var name: String?
    /// A `geo:` URI (RFC 5870), as written in the feed.
    public var geo: String?
    /// An OpenStreetMap object: a letter for its type, and its number.
    public var openStreetMap: String?

    public init(name: String? = nil, geo: String? = nil, openStreetMap: String? = nil) {
        self.name = name
        self.geo = geo
        self.openStreetMap = openStreetMap
    }
}

/// `podcast:locked`: the permission for other hosts to import the feed.
public struct ParsedLock: Sendable, Equatable {
    public var isLocked: Bool
    /// The mail address of the person to ask.
    public var owner: String?

    public init(isLocked: Bool, owner: String? = nil) {
        self.isLocked = isLocked
        self.owner = owner
    }
}

/// `podcast:remoteItem`: another feed, or an item of one.
public struct ParsedRemoteItem: Sendable, Equatable {
    /// The other feed's `podcast:guid`.
    public var feedGUID: String?
    public var feedURL: String?
    public var itemGUID: String?
    public var medium: String?
    public var title: String?

    public init(feedGUID: String? = nil, feedURL: String? = nil) {
        self.feedGUID = feedGUID
        self.feedURL = feedURL
    }
}

/// `podcast:socialInteract`: a location of the discussion about the episode.
public struct ParsedSocialInteraction: Sendable, Equatable {
    /// `activitypub`, `twitter`, `lightning`, or `disabled` if the episode has no discussion.
    public var platform: String
    /// The root post.
    public var uri: String?
    public var accountID: String?
    public var accountURL: String?
    /// The order of display; the lowest value comes first.
    public var priority: Int?

    public init(platform: String, uri: String? = nil) {
        self.platform = platform
        self.uri = uri
    }
}

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

/// `podcast:trailer`.
public struct ParsedTrailer: Sendable, Equatable {
    public var title: String?
    public var enclosure: ParsedEnclosure
    public var published: UTCTime?
    /// The season that the trailer announces, or `nil` for the whole show.
    public var season: Int?

    public init(enclosure: ParsedEnclosure, title: String? = nil) {
        self.enclosure = enclosure
        self.title = title
    }
}

/// `podcast:updateFrequency`: the expected frequency of new episodes.
public struct ParsedUpdateFrequency: Sendable, Equatable {
    /// A description for display.
    public var text: String?
    /// A recurrence rule (RFC 5545, 3.3.10) as written in the feed: `FREQ=WEEKLY`.
    public var recurrenceRule: String?
    /// The start of the recurrence.
    public var start: UTCTime?
    /// True if the show has ended.
    public var isComplete = false

    public init() {}
}
