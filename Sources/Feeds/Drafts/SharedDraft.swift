// SPDX-License-Identifier: GPL-3.0-or-later

/// The fields that a channel and an item have in common, read so far in any order.
struct SharedDraft {
    var title = Ranked<String>()
    var link = Ranked<String>()
    var author = Ranked<String>()
    var image = Ranked<String>()
    private(set) var isExplicit = Ranked<Bool>()
    private(set) var persons: [ParsedPerson] = []
    private(set) var license: ParsedLicense?
    private(set) var location: ParsedLocation?
    private(set) var value: ParsedValue?
    private var person = PersonDraft()
    private var recipients = ValueDraft()

    /// Reads a direct child of the channel or item.
    mutating func apply(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .title: title.offer(leaf.line, rank: 0)
        case .atomTitle: title.offer(leaf.line, rank: 1)
        case .itunesTitle: title.offer(leaf.line, rank: 2)
        case .dcTitle: title.offer(leaf.line, rank: 3)
        case .itunesAuthor: author.offer(leaf.person, rank: 0)
        case .author: author.offer(person.finished() ?? leaf.person, rank: 1)
        case .atomAuthor: author.offer(person.finished(), rank: 2)
        case .dcCreator: author.offer(leaf.person, rank: 3)
        case .googleplayAuthor: author.offer(leaf.person, rank: 4)
        case .itunesImage: image.offer(leaf.picture, rank: 0)
        case .itunesLink: image.offer(leaf.imageLink, rank: 0)
        case .podcastImages: image.offer(leaf.pictures, rank: 1)
        case .image: image.offer(leaf.picture, rank: 2)
        case .googleplayImage: image.offer(leaf.picture, rank: 4)
        case .itunesExplicit: isExplicit.offer(leaf.flag, rank: 0)
        case .googleplayExplicit: isExplicit.offer(leaf.flag, rank: 1)
        default: applyPodcasting(leaf)
        }
    }

    private mutating func applyPodcasting(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .podcastPerson: leaf.podcastPerson.map { persons.append($0) }
        case .podcastLicense: license = license ?? leaf.license
        case .podcastLocation: location = location ?? leaf.location
        case .podcastValue:
            let finished = recipients.finished(leaf)
            value = value ?? finished
        default: break
        }
    }

    /// Reads an element whose parent is a child of the channel or item.
    mutating func applyInner(_ leaf: FeedLeaf, of parent: FeedElement?) {
        switch (parent, leaf.element) {
        case (.image, .url): image.offer(leaf.url, rank: 2)
        case (.itunesImage, .url): image.offer(leaf.url, rank: 0)
        case (.author, _), (.atomAuthor, _): person.apply(leaf)
        case (.podcastValue, .podcastValueRecipient): recipients.applyRecipient(leaf)
        default: break
        }
    }

    /// Reads a link of RSS or Atom.
    /// - Returns: the link if it may have other relations than to a page.
    mutating func applyLink(_ leaf: FeedLeaf) -> AtomLink? {
        // RSS has the URL as text, Atom as an attribute; publishers mix them.
        link.offer(leaf.url, rank: 0)
        guard leaf.attributes["href"] != nil else { return nil }
        let atom = AtomLink(leaf)
        for case .alternate(let isPage) in atom.relations { link.offer(atom.url, rank: isPage ? 1 : 2) }
        return atom
    }
}
