// SPDX-License-Identifier: GPL-3.0-or-later

extension ChannelDraft {
    mutating func applyTexts(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .title: title.offer(leaf.line, rank: 0)
        case .atomTitle: title.offer(leaf.line, rank: 1)
        case .itunesTitle: title.offer(leaf.line, rank: 2)
        case .dcTitle: title.offer(leaf.line, rank: 3)
        case .mediaTitle: title.offer(leaf.line, rank: 4)
        case .itunesSummary: summary.offer(leaf.line, rank: 0)
        case .description: summary.offer(leaf.line, rank: 1)
        case .atomSubtitle, .atomSummary: summary.offer(leaf.line, rank: 2)
        case .itunesSubtitle: summary.offer(leaf.line, rank: 3)
        case .googleplayDescription: summary.offer(leaf.line, rank: 4)
        case .dcDescription: summary.offer(leaf.line, rank: 5)
        case .mediaDescription: summary.offer(leaf.line, rank: 6)
        default: applyAuthor(leaf)
        }
    }

    private mutating func applyAuthor(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .itunesAuthor: author.offer(leaf.person, rank: 0)
        case .author: author.offer(person.finished() ?? leaf.person, rank: 1)
        case .atomAuthor: author.offer(person.finished(), rank: 2)
        case .dcCreator: author.offer(leaf.person, rank: 3)
        case .googleplayAuthor: author.offer(leaf.person, rank: 4)
        case .managingEditor: author.offer(leaf.person, rank: 5)
        case .dcPublisher: author.offer(leaf.person, rank: 7)
        case .webMaster: author.offer(leaf.person, rank: 8)
        default: break
        }
    }

    mutating func applyReferences(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .link, .atomLink: applyLink(leaf)
        case .url: link.offer(leaf.url, rank: 3)
        case .itunesImage: image.offer(leaf.picture, rank: 0)
        case .itunesLink: image.offer(leaf.imageLink, rank: 0)
        case .podcastImages: image.offer(leaf.pictures, rank: 1)
        case .image: applyImage(leaf)
        case .atomLogo: image.offer(leaf.url, rank: 3)
        case .googleplayImage: image.offer(leaf.picture, rank: 4)
        case .mediaThumbnail: image.offer(leaf.picture, rank: 5)
        case .atomIcon: image.offer(leaf.url, rank: 6)
        case .itunesNewFeedURL: feed.newFeedURL = feed.newFeedURL ?? leaf.url
        default: break
        }
    }

    mutating func applyFacts(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .language: applyLanguage(leaf.text, rank: 0)
        case .dcLanguage: applyLanguage(leaf.text, rank: 1)
        case .itunesExplicit: isExplicit.offer(leaf.flag, rank: 0)
        case .googleplayExplicit: isExplicit.offer(leaf.flag, rank: 1)
        case .itunesType:
            let keyword = leaf.keyword ?? leaf.token("text")?.lowercased()
            feed.order = feed.order ?? keyword.flatMap(ParsedFeed.Order.init)
        case .itunesComplete: feed.isComplete = feed.isComplete || leaf.flag == true
        case .itunesBlock: isBlocked.offer(leaf.flag, rank: 0)
        case .googleplayBlock: isBlocked.offer(leaf.flag, rank: 1)
        case .googleplayEmail: ownerEmail.offer(leaf.mail, rank: 1)
        case .generator: feed.generator = feed.generator ?? leaf.line
        default: break
        }
    }

    /// Reads an element whose parent is a child of the channel.
    mutating func applyInner(_ leaf: FeedLeaf, of parent: FeedElement?) {
        switch (parent, leaf.element) {
        case (.image, .url): image.offer(leaf.url, rank: 2)
        case (.itunesImage, .url): image.offer(leaf.url, rank: 0)
        case (.author, _), (.atomAuthor, _): person.apply(leaf)
        case (.itunesOwner, .itunesName):
            feed.ownerName = feed.ownerName ?? leaf.line
            author.offer(leaf.line, rank: 6)
        case (.itunesOwner, .itunesEmail): ownerEmail.offer(leaf.mail, rank: 0)
        case (.podcastValue, .podcastValueRecipient): value.applyRecipient(leaf)
        case (.podcastPodroll, .podcastRemoteItem): leaf.remoteItem.map { feed.podroll.append($0) }
        case (.mediaGroup, .mediaThumbnail): image.offer(leaf.picture, rank: 5)
        default: break
        }
    }

    private mutating func applyLink(_ leaf: FeedLeaf) {
        // RSS has the URL as text, Atom as an attribute; publishers mix them.
        link.offer(leaf.url, rank: 0)
        guard leaf.attributes["href"] != nil else { return }
        let atom = AtomLink(leaf)
        for relation in atom.relations {
            switch relation {
            case .alternate(let isPage): link.offer(atom.url, rank: isPage ? 1 : 2)
            case .next: feed.nextPageURL = feed.nextPageURL ?? atom.url
            case .own: feed.selfURL = feed.selfURL ?? atom.url
            case .enclosure, .other: break
            }
        }
    }

    private mutating func applyImage(_ leaf: FeedLeaf) {
        image.offer(leaf.picture, rank: 2)
        // RSS 1.0 references the image here and describes it elsewhere.
        image.offer(leaf.url("resource"), rank: 7)
    }
}
