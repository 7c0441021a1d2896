// SPDX-License-Identifier: GPL-3.0-or-later

extension ChannelDraft {
    mutating func applyTexts(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .mediaTitle: shared.title.offer(leaf.line, rank: 4)
        case .itunesSummary: summary.offer(leaf.line, rank: 0)
        case .description: summary.offer(leaf.line, rank: 1)
        case .atomSubtitle, .atomSummary: summary.offer(leaf.line, rank: 2)
        case .itunesSubtitle: summary.offer(leaf.line, rank: 3)
        case .googleplayDescription: summary.offer(leaf.line, rank: 4)
        case .dcDescription: summary.offer(leaf.line, rank: 5)
        case .mediaDescription: summary.offer(leaf.line, rank: 6)
        case .managingEditor: shared.author.offer(leaf.person, rank: 5)
        case .dcPublisher: shared.author.offer(leaf.person, rank: 7)
        case .webMaster: shared.author.offer(leaf.person, rank: 8)
        default: break
        }
    }

    mutating func applyReferences(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .link, .atomLink: applyLink(leaf)
        case .url: shared.link.offer(leaf.url, rank: 3)
        case .atomLogo: shared.image.offer(leaf.url, rank: 3)
        case .mediaThumbnail: shared.image.offer(leaf.picture, rank: 5)
        case .atomIcon: shared.image.offer(leaf.url, rank: 6)
        // RSS 1.0 references the image here and describes it elsewhere.
        case .image: shared.image.offer(leaf.url("resource"), rank: 7)
        case .itunesNewFeedURL: feed.newFeedURL = feed.newFeedURL ?? leaf.url
        default: break
        }
    }

    mutating func applyFacts(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .language: applyLanguage(leaf.text, rank: 0)
        case .dcLanguage: applyLanguage(leaf.text, rank: 1)
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
        shared.applyInner(leaf, of: parent)
        switch (parent, leaf.element) {
        case (.itunesOwner, .itunesName):
            feed.ownerName = feed.ownerName ?? leaf.line
            shared.author.offer(leaf.line, rank: 6)
        case (.itunesOwner, .itunesEmail): ownerEmail.offer(leaf.mail, rank: 0)
        case (.podcastPodroll, .podcastRemoteItem): leaf.remoteItem.map { feed.podroll.append($0) }
        case (.mediaGroup, .mediaThumbnail): shared.image.offer(leaf.picture, rank: 5)
        default: break
        }
    }

    private mutating func applyLink(_ leaf: FeedLeaf) {
        guard let atom = shared.applyLink(leaf) else { return }
        for relation in atom.relations {
            switch relation {
            case .next: nextPage.offer(atom.url, rank: 0)
            case .previousArchive: nextPage.offer(atom.url, rank: 1)
            case .own: feed.selfURL = feed.selfURL ?? atom.url
            case .alternate, .enclosure, .other: break
            }
        }
    }
}
