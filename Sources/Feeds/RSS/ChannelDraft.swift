// SPDX-License-Identifier: GPL-3.0-or-later

/// What a channel has said so far, in any order.
struct ChannelDraft {
    private var title = Ranked<String>()
    private var link = Ranked<String>()
    private var summary = Ranked<String>()
    private var language = Ranked<String>()
    private var author = Ranked<String>()
    private var image = Ranked<String>()
    private var isExplicit = Ranked<Bool>()
    private var feed = ParsedFeed()
    /// Where the channel says it is: the base of its relative references if nothing better is known.
    private(set) var selfURL: String?

    mutating func take(_ leaf: FeedLeaf, at path: ElementPath) {
        guard let element = path.element else { return }
        if element == .url, path.isIn(.channel, through: .image) || path.isIn(.rdf, through: .image) {
            image.offer(leaf.url, rank: 1)
        }
        if element == .itunesName, path.isIn(.channel, through: .itunesOwner) { author.offer(leaf.line, rank: 5) }
        guard path.parent == .channel else { return }
        takeWords(leaf, element)
        takeReferences(leaf, element)
        takeFacts(leaf, element)
    }

    func finished() -> ParsedFeed {
        var feed = feed
        feed.title = title.value
        feed.link = link.value
        feed.description = summary.value
        feed.language = language.value
        feed.author = author.value
        feed.image = image.value
        feed.isExplicit = isExplicit.value
        return feed
    }

    private mutating func takeWords(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .title: title.offer(leaf.line, rank: 0)
        case .itunesTitle: title.offer(leaf.line, rank: 1)
        case .dcTitle: title.offer(leaf.line, rank: 2)
        case .mediaTitle: title.offer(leaf.line, rank: 3)
        case .itunesSummary: summary.offer(leaf.line, rank: 0)
        case .description: summary.offer(leaf.line, rank: 1)
        case .itunesSubtitle: summary.offer(leaf.line, rank: 2)
        case .googleplayDescription: summary.offer(leaf.line, rank: 3)
        case .itunesAuthor: author.offer(leaf.person, rank: 0)
        case .author: author.offer(leaf.person, rank: 1)
        case .dcCreator: author.offer(leaf.person, rank: 2)
        case .googleplayAuthor: author.offer(leaf.person, rank: 3)
        case .managingEditor: author.offer(leaf.person, rank: 4)
        default: break
        }
    }

    private mutating func takeReferences(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .link: link.offer(leaf.url, rank: 0)
        case .atomLink: takeAtomLink(leaf)
        case .itunesImage: image.offer(leaf.picture, rank: 0)
        case .atomLogo: image.offer(leaf.url, rank: 2)
        case .googleplayImage: image.offer(leaf.picture, rank: 3)
        case .mediaThumbnail: image.offer(leaf.url("url"), rank: 4)
        case .itunesNewFeedURL: feed.newFeedURL = feed.newFeedURL ?? leaf.url
        case .podcastFunding:
            if let url = leaf.url("url") { feed.fundings.append(ParsedFunding(url: url, title: leaf.line)) }
        default: break
        }
    }

    private mutating func takeAtomLink(_ leaf: FeedLeaf) {
        if leaf.relation("alternate") { link.offer(leaf.url("href"), rank: 1) }
        if leaf.relation("next") { feed.nextPageURL = feed.nextPageURL ?? leaf.url("href") }
        if leaf.relation("self") { selfURL = selfURL ?? leaf.url("href") }
    }

    private mutating func takeFacts(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .language: language.offer(leaf.token, rank: 0)
        case .dcLanguage: language.offer(leaf.token, rank: 1)
        case .itunesExplicit: isExplicit.offer(leaf.flag, rank: 0)
        case .googleplayExplicit: isExplicit.offer(leaf.flag, rank: 1)
        case .itunesType: feed.order = feed.order ?? leaf.keyword.flatMap(ParsedFeed.Order.init)
        case .podcastGUID: feed.podcastGUID = feed.podcastGUID ?? leaf.token
        default: break
        }
    }
}
