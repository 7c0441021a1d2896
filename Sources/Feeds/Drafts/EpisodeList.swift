// SPDX-License-Identifier: GPL-3.0-or-later
import Media

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

/// Assigns each episode without a GUID an identity that no other episode of the feed has.
struct EpisodeIdentities {
    /// Hashes instead of texts, to save memory for feeds with many thousand episodes.
    private var taken: Set<Int> = []

    mutating func identity(of episode: ParsedEpisode) -> EpisodeID {
        if let guid = episode.guid {
            taken.insert(guid.hashValue)
            return EpisodeID(rawValue: guid)
        }
        let candidates = EpisodeID.candidates(
            guid: nil, enclosureURL: episode.enclosures.first?.url, link: episode.link, title: episode.title,
            published: episode.published)
        for candidate in candidates where taken.insert(candidate.rawValue.hashValue).inserted { return candidate }
        return numbered(candidates.first?.rawValue ?? "episode")
    }

    private mutating func numbered(_ text: String) -> EpisodeID {
        var number = taken.count
        while !taken.insert("\(text)#\(number)".hashValue).inserted { number += 1 }
        return EpisodeID(rawValue: "\(text)#\(number)")
    }
}
