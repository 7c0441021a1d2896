// SPDX-License-Identifier: GPL-3.0-or-later

/// The elements a feed is read from.
enum FeedElement: UInt8, Sendable {
    case rss, rdf, channel, item, image, textInput, source
    case title, link, guid, description, language, author, managingEditor, enclosure, pubDate, url
    case atomFeed, atomEntry, atomLink, atomTitle, atomAuthor, atomName, atomSummary, atomContent, atomPublished
    case atomUpdated, atomLogo
    case itunesTitle, itunesAuthor, itunesOwner, itunesName, itunesSummary, itunesSubtitle, itunesImage
    case itunesDuration, itunesSeason, itunesEpisode, itunesEpisodeType, itunesExplicit, itunesType, itunesNewFeedURL
    case contentEncoded
    case dcTitle, dcCreator, dcDate, dcLanguage
    case mediaGroup, mediaContent, mediaTitle, mediaThumbnail, mediaCredit
    case podcastGUID, podcastFunding, podcastPerson, podcastTranscript, podcastChapters, podcastSeason
    case podcastEpisode, podcastLiveItem
    case simpleChapters, simpleChapter
    case googleplayAuthor, googleplayDescription, googleplayExplicit, googleplayImage
    case unknown

    /// What of an element counts.
    enum Content {
        /// Its text, with any markup inside written out.
        case text
        /// Its attributes only.
        case attributes
        /// The elements inside.
        case children
    }

    var content: Content {
        switch self {
        case .rss, .rdf, .channel, .item, .image, .textInput, .source, .atomFeed, .atomEntry, .atomAuthor,
            .itunesOwner, .mediaGroup, .podcastLiveItem, .simpleChapters, .unknown:
            .children
        case .enclosure, .atomLink, .mediaContent, .mediaThumbnail, .podcastTranscript, .podcastChapters,
            .simpleChapter:
            .attributes
        default: .text
        }
    }

    /// - Parameter local: the local name in lower case.
    init(_ namespace: FeedNamespace, _ local: String) {
        self = Self.names(of: namespace)[local] ?? .unknown
    }

    private static func names(of namespace: FeedNamespace) -> [String: FeedElement] {
        switch namespace {
        case .plain: plain
        case .atom: atom
        case .itunes: itunes
        case .content: contentModule
        case .dublinCore: dublinCore
        case .media: media
        case .podcast: podcast
        case .simpleChapters: chapters
        case .googleplay: googleplay
        case .rdf: rdfRoot
        case .unknown: [:]
        }
    }

    private static let plain: [String: FeedElement] = [
        "rss": .rss, "channel": .channel, "item": .item, "image": .image, "textinput": .textInput, "source": .source,
        "title": .title, "link": .link, "guid": .guid, "description": .description, "language": .language,
        "author": .author, "managingeditor": .managingEditor, "enclosure": .enclosure, "pubdate": .pubDate,
        "url": .url, "feed": .atomFeed,
    ]
    private static let atom: [String: FeedElement] = [
        "feed": .atomFeed, "entry": .atomEntry, "link": .atomLink, "title": .atomTitle, "author": .atomAuthor,
        "name": .atomName, "summary": .atomSummary, "content": .atomContent, "published": .atomPublished,
        "issued": .atomPublished, "updated": .atomUpdated, "modified": .atomUpdated, "logo": .atomLogo,
        "source": .source,
    ]
    private static let itunes: [String: FeedElement] = [
        "title": .itunesTitle, "author": .itunesAuthor, "owner": .itunesOwner, "name": .itunesName,
        "summary": .itunesSummary, "subtitle": .itunesSubtitle, "image": .itunesImage, "duration": .itunesDuration,
        "season": .itunesSeason, "episode": .itunesEpisode, "episodetype": .itunesEpisodeType,
        "explicit": .itunesExplicit, "type": .itunesType, "new-feed-url": .itunesNewFeedURL,
    ]
    private static let contentModule: [String: FeedElement] = ["encoded": .contentEncoded]
    private static let chapters: [String: FeedElement] = ["chapters": .simpleChapters, "chapter": .simpleChapter]
    private static let rdfRoot: [String: FeedElement] = ["rdf": .rdf]
    private static let dublinCore: [String: FeedElement] = [
        "title": .dcTitle, "creator": .dcCreator, "date": .dcDate, "language": .dcLanguage,
    ]
    private static let media: [String: FeedElement] = [
        "group": .mediaGroup, "content": .mediaContent, "title": .mediaTitle, "thumbnail": .mediaThumbnail,
        "credit": .mediaCredit,
    ]
    private static let podcast: [String: FeedElement] = [
        "guid": .podcastGUID, "funding": .podcastFunding, "person": .podcastPerson,
        "transcript": .podcastTranscript, "chapters": .podcastChapters, "season": .podcastSeason,
        "episode": .podcastEpisode, "liveitem": .podcastLiveItem,
    ]
    private static let googleplay: [String: FeedElement] = [
        "author": .googleplayAuthor, "description": .googleplayDescription, "explicit": .googleplayExplicit,
        "image": .googleplayImage,
    ]
}
