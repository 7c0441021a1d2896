// SPDX-License-Identifier: GPL-3.0-or-later
public import Podcasts

/// What a feed says about its show. Untrusted: cleaned in form (plain text, absolute URLs), not in meaning.
public struct ParsedFeed: Sendable, Equatable {
    /// How the episodes want to be heard (`itunes:type`).
    public enum Order: String, Sendable {
        case episodic, serial
    }

    public var title: String?
    public var link: String?
    /// Plain text.
    public var description: String?
    public var language: String?
    public var author: String?
    public var image: String?
    public var isExplicit: Bool?
    public var order: Order?
    /// Where the feed says it lives now; often it names itself.
    public var newFeedURL: String?
    public var fundings: [ParsedFunding] = []
    public var podcastGUID: String?
    /// The next page of older episodes (RFC 5005).
    public var nextPageURL: String?
    /// Where the feed says it is (`atom:link rel="self"`).
    public var selfURL: String?
    public var generator: String?
    public var ownerName: String?
    public var ownerEmail: String?
    /// No more episodes will come (`itunes:complete`).
    public var isComplete = false
    /// Directories are asked not to list it (`itunes:block`).
    public var isBlocked = false
    public var lock: ParsedLock?
    /// What the feed carries, in lower case as a list of Podcasting 2.0 has it: `podcast`, `music`, `audiobook`, ...
    public var medium: String?
    public var value: ParsedValue?
    public var podroll: [ParsedRemoteItem] = []
    public var updateFrequency: ParsedUpdateFrequency?
    public var liveItems: [ParsedLiveItem] = []
    public var trailers: [ParsedTrailer] = []
    public var persons: [ParsedPerson] = []
    public var location: ParsedLocation?
    public var license: ParsedLicense?
    /// In document order, without those that were taken while parsing.
    public var episodes: [ParsedEpisode] = []
    /// The document ended before its root element did: episodes may be missing.
    public var isTruncated = false
    /// What was repaired, where the parser was asked to tell.
    public var repairs: [FeedRepair] = []

    public init() {}

    public var podcast: Podcast {
        Podcast(title: title, author: author, link: link, image: image)
    }
}

/// `podcast:funding`.
public struct ParsedFunding: Sendable, Equatable {
    public let url: String
    public let title: String?
}
