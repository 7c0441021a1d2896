// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// RSS 2.0 and 0.9x with the podcast vocabularies, and RSS 1.0, which differs in where its items stand.
///
/// An element counts only directly inside its item or channel: what a live item, an image or a source says of itself
/// does not overwrite theirs.
struct RSSFeedBuilder: FeedBuilder {
    private let baseURL: String?
    private var channel = ChannelDraft()
    private var item: EpisodeDraft?
    private var episodes: [ParsedEpisode] = []
    private var identities = EpisodeIdentities()
    private var hasContent = false

    init(baseURL: String?) {
        self.baseURL = baseURL
    }

    mutating func begin(_ attributes: ElementAttributes, at path: ElementPath) {
        switch path.element {
        case .item:
            item = EpisodeDraft(about: attributes["about"])
            hasContent = true
        case .channel: hasContent = true
        default: break
        }
    }

    mutating func end(_ attributes: ElementAttributes, text: [UInt8], at path: ElementPath) {
        let leaf = FeedLeaf(attributes: attributes, text: text, base: path.base ?? baseURL ?? channel.selfURL)
        guard path.element != .item else { return endItem(leaf.base) }
        if item != nil {
            item?.take(leaf, at: path)
        } else {
            channel.take(leaf, at: path)
        }
    }

    mutating func takeEpisodes() -> [ParsedEpisode] {
        defer { episodes = [] }
        return episodes
    }

    mutating func finish() -> ParsedFeed? {
        guard hasContent else { return nil }
        var feed = channel.finished()
        feed.episodes = takeEpisodes()
        return feed
    }

    private mutating func endItem(_ base: String?) {
        guard var episode = item?.finished(base: base) else { return }
        episode.id = identities.identity(of: episode)
        episodes.append(episode)
        item = nil
    }
}
