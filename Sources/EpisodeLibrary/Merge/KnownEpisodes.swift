// SPDX-License-Identifier: GPL-3.0-or-later

/// The episodes of a podcast, accessible by number.
struct KnownEpisodes {
    /// The episodes in ascending order of their numbers.
    let list: [EpisodeMatcher.Known]

    init(_ episodes: [EpisodeMatcher.Known]) {
        let isSorted = zip(episodes, episodes.dropFirst()).allSatisfy { $0.id < $1.id }
        list = isSorted ? episodes : episodes.sorted { $0.id < $1.id }
    }

    subscript(id: Int64) -> EpisodeEvidence? {
        let place = list.partitioningIndex { $0.id >= id }
        return place < list.count && list[place].id == id ? list[place].evidence : nil
    }
}
