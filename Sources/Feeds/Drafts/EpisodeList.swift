// SPDX-License-Identifier: GPL-3.0-or-later

/// The finished episodes that nobody has taken yet, in document order, each with an identity of its own.
struct EpisodeList {
    private var episodes: [ParsedEpisode] = []
    private var identities = EpisodeIdentities()
    private var room: Int
    /// Whether there were more than there may be.
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

    /// The episodes so far, which are then forgotten.
    mutating func take() -> [ParsedEpisode] {
        defer { episodes = [] }
        return episodes
    }
}
