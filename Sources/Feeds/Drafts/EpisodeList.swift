// SPDX-License-Identifier: GPL-3.0-or-later

/// The finished episodes that nobody has taken yet, in document order, each with an identity of its own.
struct EpisodeList {
    private var episodes: [ParsedEpisode] = []
    private var identities = EpisodeIdentities()

    mutating func append(_ episode: ParsedEpisode) {
        var episode = episode
        episode.id = identities.identity(of: episode)
        episodes.append(episode)
    }

    /// The episodes so far, which are then forgotten.
    mutating func take() -> [ParsedEpisode] {
        defer { episodes = [] }
        return episodes
    }
}
