// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A show as its feed describes it. Untrusted: the form is cleaned (plain text, absolute URLs), the meaning is not
/// checked.
public struct ParsedFeed: Sendable, Equatable {
    /// The intended order of playback (`itunes:type`).
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
    /// The new URL that the feed announces; often it is the URL that the feed already has.
    public var newFeedURL: String?
    public var fundings: [ParsedFunding] = []
    public var podcastGUID: String?
    /// The next page of older episodes (RFC 5005).
    public var nextPageURL: String?
    /// The URL that the feed states for itself (`atom:link rel="self"`).
    public var selfURL: String?
    public var generator: String?
    public var ownerName: String?
    public var ownerEmail: String?
    /// True if the show has ended (`itunes:complete`).
    public var isComplete = false
    /// True if the publisher asks directories not to list the show (`itunes:block`).
    public var isBlocked = false
    public var lock: ParsedLock?
    /// The kind of content in lower case, from the list of Podcasting 2.0: `podcast`, `music`, `audiobook`, ...
    public var medium: String?
    public var value: ParsedValue?
    public var podroll: [ParsedRemoteItem] = []
    public var updateFrequency: ParsedUpdateFrequency?
    public var liveItems: [ParsedLiveItem] = []
    public var trailers: [ParsedTrailer] = []
    public var persons: [ParsedPerson] = []
    public var location: ParsedLocation?
    public var license: ParsedLicense?
    /// The episodes in document order, without those that the parser already returned.
    public var episodes: [ParsedEpisode] = []
    /// True if the document ended before its root element did. Episodes may be missing.
    public var isTruncated = false
    /// True if the document ended inside an episode. The last episode then lacks a part, perhaps its GUID.
    public var hasCutEpisode = false
    /// The repaired faults, if the parser was asked to report them.
    public var repairs: [FeedRepair] = []

    public init() {}
}

/// `podcast:funding`.
public struct ParsedFunding: Sendable, Equatable {
    public let url: String
    public let title: String?
}
