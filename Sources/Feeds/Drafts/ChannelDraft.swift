// SPDX-License-Identifier: GPL-3.0-or-later

/// The channel's fields read so far, in any order.
struct ChannelDraft {
    var shared = SharedDraft()
    var summary = Ranked<String>()
    var language = Ranked<String>()
    var isBlocked = Ranked<Bool>()
    var ownerEmail = Ranked<String>()
    /// The page with older episodes. An archive (RFC 5005 section 4) is one, too.
    var nextPage = Ranked<String>()
    /// The fields that have only one source.
    var feed = ParsedFeed()

    /// The URL that the channel states for itself: the base of its relative references if no better base is known.
    var selfURL: String? { feed.selfURL }

    mutating func apply(_ leaf: FeedLeaf, at path: ElementPath) {
        if path.parent?.isFeed == true {
            applyOwn(leaf)
        } else if path.grandparent?.isFeed == true {
            applyInner(leaf, of: path.parent)
        }
    }

    /// Reads a direct child of the channel.
    mutating func applyOwn(_ leaf: FeedLeaf) {
        shared.apply(leaf)
        applyTexts(leaf)
        applyReferences(leaf)
        applyFacts(leaf)
        applyPodcasting(leaf)
    }

    mutating func append(_ liveItem: ParsedLiveItem) {
        feed.liveItems.append(liveItem)
    }

    /// Reads a language tag. Language tags have hyphens (RFC 5646, 2.1); locale identifiers of programs have
    /// underscores.
    mutating func applyLanguage(_ value: [UInt8], rank: Int) {
        let hyphenated = value.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        language.offer(PlainText.token(hyphenated), rank: rank)
    }

    func finished() -> ParsedFeed {
        var feed = feed
        feed.title = shared.title.value
        feed.link = shared.link.value
        feed.description = summary.value
        feed.language = language.value
        feed.author = shared.author.value
        feed.image = shared.image.value
        feed.isExplicit = shared.isExplicit.value
        feed.isBlocked = isBlocked.value ?? false
        feed.ownerEmail = ownerEmail.value
        feed.nextPageURL = nextPage.value
        feed.persons = shared.persons
        feed.license = shared.license
        feed.location = shared.location
        feed.value = shared.value
        return feed
    }
}
