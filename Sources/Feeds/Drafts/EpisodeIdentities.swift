// SPDX-License-Identifier: GPL-3.0-or-later
import Media

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
