// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// Makes a feed of the elements of RSS 2.0 and 0.9x, RSS 1.0 and Atom, with the podcast vocabularies.
///
/// The formats differ in names and in where things stand, which `FeedElement` says, and hardly in what things mean; and
/// publishers mix them. So there is one builder. An element counts only directly inside its item or channel: what a
/// live item, an image or a source says of itself does not overwrite theirs.
struct XMLFeedBuilder {
    private let baseURL: String?
    private var channel = ChannelDraft()
    private var item: EpisodeDraft?
    private var liveItem: EpisodeDraft?
    private var episodes = EpisodeList(limit: .max)
    private var hasContent = false
    private var isRSS = false

    init(baseURL: String?) {
        self.baseURL = baseURL
    }

    /// An element that holds others begins; it is the path's last.
    mutating func begin(_ attributes: ElementAttributes, at path: ElementPath) {
        guard let element = path.element else { return }
        switch element {
        case .item, .atomEntry:
            item = EpisodeDraft(element, about: attributes["about"])
            hasContent = true
        case .podcastLiveItem where path.parent?.isFeed == true: liveItem = EpisodeDraft(element)
        case .channel, .atomFeed: hasContent = true
        case .rss: isRSS = true
        default: break
        }
        if element.isFeed, let language = attributes["xml:lang"] { channel.takeLanguage(language, rank: 2) }
    }

    /// An element is over; it is still the path's last. `text` is empty where only children or attributes count.
    mutating func end(_ attributes: ElementAttributes, text: [UInt8], at path: ElementPath) {
        guard let element = path.element, element != .unknown else { return }
        let leaf = FeedLeaf(
            element: element, attributes: attributes, text: text, base: path.base ?? baseURL ?? channel.selfURL)
        switch element {
        case .item, .atomEntry: endItem()
        case .podcastLiveItem: endLiveItem(leaf)
        case _ where item != nil: item?.take(leaf, at: path)
        case _ where liveItem != nil: liveItem?.take(leaf, at: path)
        default: channel.take(leaf, at: path)
        }
    }

    /// The episodes complete so far, which are then forgotten.
    mutating func takeEpisodes() -> [ParsedEpisode] {
        episodes.take()
    }

    /// - Parameter isWhole: whether the document had ended by itself.
    /// - Returns: nil where nothing of a feed was there. An RSS document may say nothing; RDF that does is something
    ///   else.
    mutating func finish(isWhole: Bool) -> ParsedFeed? {
        guard hasContent || isRSS && isWhole else { return nil }
        var feed = channel.finished()
        feed.episodes = takeEpisodes()
        return feed
    }

    private mutating func endItem() {
        guard let draft = item else { return }
        episodes.append(draft)
        item = nil
    }

    private mutating func endLiveItem(_ leaf: FeedLeaf) {
        guard let draft = liveItem else { return }
        channel.take(draft.finishedLiveItem(leaf))
        liveItem = nil
    }
}
