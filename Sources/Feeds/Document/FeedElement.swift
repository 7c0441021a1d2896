// SPDX-License-Identifier: GPL-3.0-or-later

/// The elements that the parser reads from a feed.
enum FeedElement: UInt8, Sendable {
    case rss, rdf, channel, item, image, textInput, source
    case title, link, guid, description, language, author, managingEditor, webMaster, enclosure, pubDate, url
    case generator, enclosureURL, enclosureType, enclosureLength
    case atomFeed, atomEntry, atomID, atomLink, atomTitle, atomAuthor, atomName, atomEmail, atomURI, atomSummary
    case atomContent, atomPublished, atomCreated, atomUpdated, atomLogo, atomIcon, atomSubtitle
    case itunesTitle, itunesAuthor, itunesOwner, itunesName, itunesEmail, itunesSummary, itunesSubtitle, itunesImage
    case itunesDuration, itunesSeason, itunesEpisode, itunesEpisodeType, itunesExplicit, itunesType, itunesNewFeedURL
    case itunesComplete, itunesBlock, itunesLink
    case contentEncoded, xhtmlBody
    case dcTitle, dcCreator, dcPublisher, dcDate, dcIssued, dcModified, dcLanguage, dcDescription, dcIdentifier
    case mediaGroup, mediaContent, mediaTitle, mediaThumbnail, mediaCredit, mediaDescription, mediaText
    case podcastGUID, podcastFunding, podcastPerson, podcastTranscript, podcastChapters, podcastSeason
    case podcastEpisode, podcastLiveItem, podcastContentLink, podcastLocked, podcastMedium, podcastValue
    case podcastValueRecipient, podcastPodroll, podcastRemoteItem, podcastUpdateFrequency, podcastTrailer
    case podcastSoundbite, podcastAlternateEnclosure, podcastSource, podcastIntegrity, podcastSocialInteract
    case podcastLicense, podcastLocation, podcastImages
    case simpleChapters, simpleChapter
    case googleplayAuthor, googleplayDescription, googleplayExplicit, googleplayImage, googleplayEmail
    case googleplayBlock
    case unknown

    /// The part of an element that the parser reads.
    enum Content {
        /// The text, with any markup inside serialized.
        case text
        /// The attributes only.
        case attributes
        /// The child elements.
        case children
        /// The child elements, or the text of an element without children: publishers write pictures and people in
        /// both ways.
        case childrenOrText
    }

    var content: Content {
        switch self {
        case .rss, .rdf, .channel, .item, .textInput, .atomFeed, .atomEntry, .atomAuthor, .itunesOwner, .mediaGroup,
            .mediaContent, .podcastLiveItem, .podcastValue, .podcastPodroll, .podcastAlternateEnclosure,
            .simpleChapters, .source, .unknown:
            .children
        case .image, .itunesImage, .author: .childrenOrText
        case .enclosure, .mediaThumbnail, .podcastTranscript, .podcastChapters, .podcastValueRecipient,
            .podcastRemoteItem, .podcastSource, .podcastIntegrity, .podcastSocialInteract, .podcastImages,
            .simpleChapter:
            .attributes
        default: .text
        }
    }

    var isRoot: Bool { self == .rss || self == .rdf || self == .atomFeed }

    /// True if the element holds the metadata of the show. RSS 1.0, and feeds without a channel, have it in the root.
    var isFeed: Bool { self == .channel || self == .atomFeed || self == .rdf || self == .rss }

    /// True if the element declares whether its text is markup.
    var isTextConstruct: Bool {
        switch self {
        case .atomTitle, .atomSubtitle, .atomSummary, .atomContent, .mediaTitle, .mediaDescription, .mediaText: true
        default: false
        }
    }
}
