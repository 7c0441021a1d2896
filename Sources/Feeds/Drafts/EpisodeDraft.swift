// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The item's fields read so far, in any order.
struct EpisodeDraft {
    var shared = SharedDraft()
    var guid = Ranked<String>()
    var published = Ranked<UTCTime>()
    var duration = Ranked<Duration>()
    var season = Ranked<Int>()
    var number = Ranked<Int>()
    var notes = ShowNotesDraft()
    var enclosures = EnclosureDraft()
    var alternateEnclosure = AlternateEnclosureDraft()
    var contentLinks: [ParsedLiveItem.ContentLink] = []
    /// The fields that have only one source.
    var episode = ParsedEpisode(id: EpisodeID(rawValue: ""))
    /// The item's own element. The fields of a live item inside an item do not belong to the item.
    private let owner: FeedElement?

    /// - Parameter about: `rdf:about` of RSS 1.0, which is the GUID and usually also the URL.
    init(_ owner: FeedElement?, about: [UInt8]? = nil) {
        self.owner = owner
        guid.offer(about.flatMap(PlainText.token), rank: 1)
        shared.link.offer(about.flatMap { WebURL.resolve($0, base: nil) }, rank: 4)
    }

    mutating func apply(_ leaf: FeedLeaf, at path: ElementPath) {
        switch leaf.element {
        case .mediaContent, .mediaTitle, .mediaThumbnail, .mediaCredit, .mediaDescription, .mediaText:
            if path.mediaOwner == owner { applyMedia(leaf) }
        case .enclosureURL, .enclosureType, .enclosureLength:
            if path.enclosureOwner == owner { enclosures.describe(leaf) }
        case _ where path.parent == owner: applyOwn(leaf)
        case _ where path.grandparent == owner: applyInner(leaf, of: path.parent)
        default: break
        }
    }

    func finished() -> ParsedEpisode {
        var episode = episode
        episode.title = shared.title.value
        episode.guid = guid.value
        episode.link = shared.link.value
        episode.published = published.value
        episode.duration = duration.value
        episode.author = shared.author.value
        episode.image = shared.image.value
        episode.season = season.value
        episode.number = number.value
        episode.isExplicit = shared.isExplicit.value
        episode.description = notes.description
        episode.contentHTML = notes.contentHTML
        episode.enclosures = enclosures.all
        episode.persons = shared.persons
        episode.license = shared.license
        episode.location = shared.location
        episode.value = shared.value
        return episode
    }

    /// - Parameter leaf: the live item's own element.
    func finishedLiveItem(_ leaf: FeedLeaf) -> ParsedLiveItem {
        var liveItem = ParsedLiveItem()
        liveItem.title = shared.title.value
        liveItem.guid = guid.value
        liveItem.link = shared.link.value
        liveItem.image = shared.image.value
        liveItem.status = leaf.token("status").flatMap { ParsedLiveItem.Status(rawValue: $0.lowercased()) }
        liveItem.start = leaf.date("start")
        liveItem.end = leaf.date("end")
        liveItem.enclosures = enclosures.all
        liveItem.contentLinks = contentLinks
        return liveItem
    }

    /// Reads a direct child of the item.
    mutating func applyOwn(_ leaf: FeedLeaf) {
        shared.apply(leaf)
        applyReferences(leaf)
        applyFacts(leaf)
        applyPodcasting(leaf)
        notes.apply(leaf)
    }
}
