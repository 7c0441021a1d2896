// SPDX-License-Identifier: GPL-3.0-or-later

extension FeedElement {
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
        case .xhtml: xhtml
        case .enclosureModule: enclosureModule
        case .unknown: [:]
        }
    }

    /// RSS, and the Atom elements that publishers use without Atom's namespace.
    private static let plain: [String: FeedElement] = [
        "rss": .rss, "rdf": .rdf, "channel": .channel, "item": .item, "image": .image, "textinput": .textInput,
        "source": .source, "title": .title, "link": .link, "guid": .guid, "description": .description,
        "language": .language, "author": .author, "managingeditor": .managingEditor, "webmaster": .webMaster,
        "enclosure": .enclosure, "pubdate": .pubDate, "url": .url, "generator": .generator, "feed": .atomFeed,
        "entry": .atomEntry, "summary": .atomSummary, "content": .atomContent, "published": .atomPublished,
        "updated": .atomUpdated, "subtitle": .atomSubtitle, "body": .xhtmlBody, "id": .atomID, "name": .atomName,
        "email": .atomEmail, "encoded": .contentEncoded, "fullitem": .contentEncoded,
        // Announces a new address of the feed, from before iTunes had an element for it; the document has no other
        // content.
        "redirect": .channel, "newlocation": .itunesNewFeedURL,
    ]
    /// Atom 1.0 (RFC 4287) and 0.3, and the RSS elements that publishers use in Atom's namespace.
    private static let atom: [String: FeedElement] = [
        "feed": .atomFeed, "entry": .atomEntry, "id": .atomID, "link": .atomLink, "title": .atomTitle,
        "author": .atomAuthor, "name": .atomName, "email": .atomEmail, "uri": .atomURI, "url": .atomURI,
        "homepage": .atomURI,
        "summary": .atomSummary, "content": .atomContent, "published": .atomPublished, "issued": .dcIssued,
        "created": .atomCreated, "updated": .atomUpdated, "modified": .atomUpdated, "logo": .atomLogo,
        "icon": .atomIcon, "subtitle": .atomSubtitle, "tagline": .atomSubtitle, "generator": .generator,
        "source": .source, "guid": .guid, "pubdate": .pubDate, "enclosure": .enclosure, "description": .description,
        "language": .language, "item": .item,
    ]
    private static let itunes: [String: FeedElement] = [
        "title": .itunesTitle, "author": .itunesAuthor, "owner": .itunesOwner, "name": .itunesName,
        "email": .itunesEmail, "summary": .itunesSummary, "subtitle": .itunesSubtitle, "image": .itunesImage,
        "duration": .itunesDuration, "season": .itunesSeason, "episode": .itunesEpisode,
        "episodetype": .itunesEpisodeType, "explicit": .itunesExplicit, "type": .itunesType,
        "new-feed-url": .itunesNewFeedURL, "complete": .itunesComplete, "block": .itunesBlock,
        "link": .itunesLink,
    ]
    private static let contentModule: [String: FeedElement] = ["encoded": .contentEncoded]
    /// The module for RSS 1.0, which has no enclosures of its own.
    private static let enclosureModule: [String: FeedElement] = [
        "enclosure": .enclosure, "url": .enclosureURL, "type": .enclosureType, "length": .enclosureLength,
    ]
    private static let chapters: [String: FeedElement] = ["chapters": .simpleChapters, "chapter": .simpleChapter]
    private static let rdfRoot: [String: FeedElement] = ["rdf": .rdf]
    private static let xhtml: [String: FeedElement] = ["body": .xhtmlBody, "div": .xhtmlBody]
    private static let dublinCore: [String: FeedElement] = [
        "title": .dcTitle, "creator": .dcCreator, "author": .dcCreator, "publisher": .dcPublisher, "date": .dcDate,
        "issued": .dcIssued, "created": .dcIssued, "modified": .dcModified, "language": .dcLanguage,
        "description": .dcDescription, "abstract": .dcDescription, "identifier": .dcIdentifier,
    ]
    private static let media: [String: FeedElement] = [
        "group": .mediaGroup, "content": .mediaContent, "title": .mediaTitle, "thumbnail": .mediaThumbnail,
        "credit": .mediaCredit, "description": .mediaDescription, "text": .mediaText,
    ]
    private static let podcast: [String: FeedElement] = [
        "guid": .podcastGUID, "funding": .podcastFunding, "person": .podcastPerson,
        "transcript": .podcastTranscript, "chapters": .podcastChapters, "season": .podcastSeason,
        "episode": .podcastEpisode, "liveitem": .podcastLiveItem, "contentlink": .podcastContentLink,
        "locked": .podcastLocked, "medium": .podcastMedium, "value": .podcastValue,
        "valuerecipient": .podcastValueRecipient, "podroll": .podcastPodroll, "remoteitem": .podcastRemoteItem,
        "updatefrequency": .podcastUpdateFrequency, "trailer": .podcastTrailer, "soundbite": .podcastSoundbite,
        "alternateenclosure": .podcastAlternateEnclosure, "source": .podcastSource, "integrity": .podcastIntegrity,
        "socialinteract": .podcastSocialInteract, "license": .podcastLicense, "location": .podcastLocation,
        "images": .podcastImages, "image": .podcastImages,
    ]
    private static let googleplay: [String: FeedElement] = [
        "author": .googleplayAuthor, "description": .googleplayDescription, "explicit": .googleplayExplicit,
        "image": .googleplayImage, "email": .googleplayEmail, "owner": .googleplayEmail, "block": .googleplayBlock,
    ]
}
