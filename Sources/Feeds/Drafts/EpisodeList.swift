// SPDX-License-Identifier: GPL-3.0-or-later

/// The finished episodes that were not returned yet, in document order, each with a unique identity.
struct EpisodeList {
    private var episodes: [ParsedEpisode] = []
    private var identities = EpisodeIdentities()
    private var room: Int
    /// True if the feed had more episodes than the limit.
    private(set) var isIncomplete = false

    init(limit: Int) {
        room = limit
    }

    mutating func append(_ draft: EpisodeDraft) {
        guard room > 0 else { return isIncomplete = true }
        room -= 1
        var episode = draft.finished()
        episode.id = identities.identity(of: episode)
        episodes.append(episode)
    }

    /// Returns the episodes and removes them from the list.
    mutating func removeAll() -> [ParsedEpisode] {
        defer { episodes = [] }
        return episodes
    }
}
