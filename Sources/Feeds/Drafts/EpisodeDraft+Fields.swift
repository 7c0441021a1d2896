// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension EpisodeDraft {
    mutating func applyReferences(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .link, .atomLink: applyLink(leaf)
        case .enclosure: applyEnclosure(leaf)
        case .atomContent where leaf.attributes["src"] != nil:
            enclosures.media(leaf.enclosure(url: "src", size: "length"), medium: nil)
        case .guid: applyGUID(leaf)
        case .atomID: guid.offer(leaf.token, rank: 2)
        case .dcIdentifier: guid.offer(leaf.token, rank: 3)
        default: break
        }
    }

    mutating func applyFacts(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .pubDate: published.offer(leaf.date, rank: 0)
        case .atomPublished: published.offer(leaf.date, rank: 1)
        case .dcIssued: published.offer(leaf.date, rank: 2)
        case .dcDate: published.offer(leaf.date, rank: 3)
        case .atomCreated: published.offer(leaf.date, rank: 4)
        case .atomUpdated: published.offer(leaf.date, rank: 5)
        case .dcModified: published.offer(leaf.date, rank: 6)
        case .itunesDuration: duration.offer(ItunesDuration.parse(leaf.text), rank: 0)
        case .itunesSeason: season.offer(leaf.ordinal, rank: 0)
        case .podcastSeason: season.offer(leaf.ordinal, rank: 1)
        case .itunesEpisode: number.offer(leaf.ordinal, rank: 0)
        case .podcastEpisode: number.offer(leaf.ordinal, rank: 1)
        case .itunesEpisodeType: episode.kind = episode.kind ?? leaf.keyword.flatMap(ParsedEpisode.Kind.init)
        default: break
        }
    }

    /// Reads an element whose parent is a child of the item.
    mutating func applyInner(_ leaf: FeedLeaf, of parent: FeedElement?) {
        shared.applyInner(leaf, of: parent)
        switch (parent, leaf.element) {
        case (.simpleChapters, .simpleChapter): applyChapter(leaf)
        case (.podcastAlternateEnclosure, _): alternateEnclosure.apply(leaf)
        case (.enclosure, .enclosure): applyEnclosure(leaf)
        default: break
        }
    }

    /// Reads a Media RSS element, which may be in the item, in a group or in the description of one file.
    mutating func applyMedia(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .mediaContent: applyMediaContent(leaf)
        case .mediaTitle: shared.title.offer(leaf.line, rank: 4)
        case .mediaThumbnail: shared.image.offer(leaf.picture, rank: 5)
        case .mediaCredit: shared.author.offer(leaf.person, rank: leaf.token("role")?.lowercased() == "author" ? 5 : 6)
        default: notes.apply(leaf)
        }
    }

    private mutating func applyMediaContent(_ leaf: FeedLeaf) {
        let medium = leaf.token("medium")?.lowercased()
        let content = leaf.enclosure(url: "url", size: "filesize")
        if enclosures.media(content, medium: medium) {
            duration.offer(leaf.attributes["duration"].flatMap { ItunesDuration.parse($0) }, rank: 1)
        } else if medium == "image" || content?.type?.hasPrefix("image/") == true {
            shared.image.offer(content?.url, rank: 6)
        }
    }

    private mutating func applyEnclosure(_ leaf: FeedLeaf) {
        let enclosure = enclosures.enclosed(leaf)
        if enclosure?.type?.hasPrefix("image/") == true { shared.image.offer(enclosure?.url, rank: 7) }
    }

    private mutating func applyLink(_ leaf: FeedLeaf) {
        if shared.applyLink(leaf)?.relations.contains(.enclosure) == true {
            enclosures.linked(leaf.enclosure(url: "href", size: "length"))
        }
    }

    private mutating func applyGUID(_ leaf: FeedLeaf) {
        guid.offer(leaf.token, rank: 0)
        let isPermanentLink = leaf.token("ispermalink")?.lowercased() != "false"
        // Without a base: a GUID is either an absolute URL or not a URL.
        if isPermanentLink { shared.link.offer(WebURL.resolve(leaf.text, base: nil), rank: 3) }
    }

    private mutating func applyChapter(_ leaf: FeedLeaf) {
        guard let start = leaf.attributes["start"].flatMap({ ItunesDuration.parsePosition($0) }),
            episode.chapters.count < ChapterList.mostChapters
        else { return }
        episode.chapters.append(
            Chapter(
                start: start, title: leaf.line("title"), url: leaf.url("href"),
                image: leaf.url("image").map { .url($0) }))
    }
}
