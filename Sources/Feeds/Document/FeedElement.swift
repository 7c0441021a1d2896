// SPDX-License-Identifier: GPL-3.0-or-later

/// The elements a feed is read from.
enum FeedElement: UInt8, Sendable {
    case rss, rdf, channel, item, image, textInput, source
    case title, link, guid, description, language, author, managingEditor, webMaster, enclosure, pubDate, url
    case generator
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

    /// What of an element counts.
    enum Content {
        /// Its text, with any markup inside written out.
        case text
        /// Its attributes only.
        case attributes
        /// The elements inside.
        case children
        /// The elements inside, or else its text: publishers write pictures and people in both ways.
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

    /// Where what is said of the show stands; in RSS 1.0, and where somebody forgot the channel, in the root.
    var isFeed: Bool { self == .channel || self == .atomFeed || self == .rdf || self == .rss }

    /// Texts that say of themselves whether they are markup.
    var isTextConstruct: Bool {
        switch self {
        case .atomTitle, .atomSubtitle, .atomSummary, .atomContent, .mediaTitle, .mediaDescription, .mediaText: true
        default: false
        }
    }
}
