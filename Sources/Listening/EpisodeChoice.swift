// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Which episodes of a feed: `latest`, `oldest`, `all`, a number, a GUID or words of a title.
public enum EpisodeChoice: Sendable, Equatable {
    case latest
    case oldest
    /// Every episode, the oldest first, as one listens to them.
    case all
    /// The newest is 1.
    case number(Int)
    /// An exact GUID, else words that all stand in the title, in any case and order.
    case named(String)

    /// What choosing looks at.
    public struct Candidate: Sendable, Equatable {
        public let guid: String?
        public let title: String
        /// Seconds since 1970; `nil` where the feed does not say.
        public let published: Int64?

        public init(guid: String?, title: String, published: Int64?) {
            self.guid = guid
            self.title = title
            self.published = published
        }
    }

    /// - Parameter episodes: in document order, those with an enclosure.
    /// - Returns: the indices of those to play, in the order of playing; at least one.
    /// - Throws: `missing`, where there is none such.
    public func select(from episodes: [Candidate]) throws(MediaFailure) -> [Int] {
        let newestFirst = Self.newestFirst(episodes)
        guard let newest = newestFirst.first, let oldest = newestFirst.last else {
            throw MediaFailure(.missing, "the feed has no episode with audio")
        }
        switch self {
        case .latest: return [newest]
        case .oldest: return [oldest]
        case .all: return newestFirst.reversed()
        case .number(let number):
            // A number can also be a GUID; the feed's own word goes first.
            if let exact = episodes.firstIndex(where: { $0.guid == "\(number)" }) { return [exact] }
            guard (1...newestFirst.count).contains(number) else {
                throw MediaFailure(.missing, "there is no episode \(number): the feed has \(newestFirst.count)")
            }
            return [newestFirst[number - 1]]
        case .named(let text):
            if let exact = episodes.firstIndex(where: { $0.guid == text }) { return [exact] }
            guard let match = newestFirst.first(where: { Self.title(episodes[$0].title, has: text) }) else {
                throw MediaFailure(.missing, "no episode has the GUID or the title words '\(text)'")
            }
            return [match]
        }
    }

    /// By date; an episode without one stays behind its neighbour in the document, where feeds put the newest first.
    private static func newestFirst(_ episodes: [Candidate]) -> [Int] {
        var known = episodes.lazy.compactMap(\.published).first ?? 0
        let keys = episodes.map { episode in
            known = episode.published ?? known
            return known
        }
        return episodes.indices.sorted { (keys[$0], $1) > (keys[$1], $0) }
    }

    private static func title(_ title: String, has words: String) -> Bool {
        let title = title.lowercased()
        let words = words.lowercased().split(whereSeparator: \.isWhitespace)
        return !words.isEmpty && words.allSatisfy { title.contains($0) }
    }
}
