// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Builds a feed from the elements of RSS 2.0 and 0.9x, RSS 1.0 and Atom, with the podcast vocabularies.
///
/// The formats differ in names and nesting, which `FeedElement` covers, but hardly in meaning, and publishers mix them;
/// therefore one builder handles all of them. An element counts only directly inside its item or channel: the fields of
/// a live item, an image or a source do not overwrite those of the item or channel.
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

    /// Handles the start of an element with children. The element is the last of the path.
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
        if element.isFeed, let language = attributes["xml:lang"] { channel.applyLanguage(language, rank: 2) }
    }

    /// Handles the end of an element, which is still the last of the path. `text` is empty if only children or
    /// attributes count.
    mutating func end(_ attributes: consuming ElementAttributes, text: consuming [UInt8], at path: ElementPath) {
        guard let element = path.element, element != .unknown else { return }
        let leaf = FeedLeaf(
            element: element, attributes: attributes, text: text, base: path.base ?? baseURL ?? channel.selfURL)
        switch element {
        case .item, .atomEntry: endItem()
        case .podcastLiveItem: endLiveItem(leaf)
        case _ where item != nil: item?.apply(leaf, at: path)
        case _ where liveItem != nil: liveItem?.apply(leaf, at: path)
        default: channel.apply(leaf, at: path)
        }
    }

    /// Returns the complete episodes and removes them from the builder.
    mutating func removeEpisodes() -> [ParsedEpisode] {
        episodes.removeAll()
    }

    /// - Parameter isWhole: true if the document was complete.
    /// - Returns: `nil` if the document contains no feed. A complete RSS document without content is a feed; RDF
    ///   without content is another format.
    mutating func finish(isWhole: Bool) -> ParsedFeed? {
        guard hasContent || isRSS && isWhole else { return nil }
        var feed = channel.finished()
        feed.episodes = removeEpisodes()
        return feed
    }

    private mutating func endItem() {
        guard let draft = item.take() else { return }
        episodes.append(draft)
    }

    private mutating func endLiveItem(_ leaf: FeedLeaf) {
        guard let draft = liveItem else { return }
        channel.append(draft.finishedLiveItem(leaf))
        liveItem = nil
    }
}
