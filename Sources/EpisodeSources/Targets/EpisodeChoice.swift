// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A selection of episodes of a feed: `latest`, `oldest`, `all`, a number, a GUID or words of a title.
public enum EpisodeChoice: Sendable, Equatable {
    case latest
    case oldest
    /// Every episode, the oldest first.
    case all
    /// An episode by number; the newest is 1.
    case number(Int)
    /// An episode by its whole title or its exact GUID, else by words that all occur in the title, in any case and
    /// order.
    case named(String)
    /// The first episode of a serial that has not been played; the first of all if all have been played.
    case nextOfSerial

    /// Returns the default choice for a podcast, used if the listener chooses nothing.
    public static func usual(isSerial: Bool) -> EpisodeChoice { isSerial ? .nextOfSerial : .latest }

    /// The properties of an episode that the choice depends on.
    public struct Candidate: Sendable, Equatable {
        public let guid: String?
        public let title: String
        /// Seconds since 1970; `nil` if the feed does not say.
        public let published: Int64?
        /// The episode's position in a serial.
        public let serialPosition: SerialPlace
        public let isPlayed: Bool

        public init(
            guid: String?, title: String, published: Int64?, place: SerialPlace = SerialPlace(), isPlayed: Bool = false
        ) {
            self.guid = guid
            self.title = title
            self.published = published
            self.serialPosition = place
            self.isPlayed = isPlayed
        }
    }

    /// An episode's position in a serial, as the feed gives it.
    public struct SerialPlace: Sendable, Equatable {
        public let season: Int?
        public let number: Int?
        /// True if the episode is neither a trailer nor a bonus.
        public let isFull: Bool

        public init(season: Int? = nil, number: Int? = nil, isFull: Bool = true) {
            (self.season, self.number, self.isFull) = (season, number, isFull)
        }
    }

    /// Selects the episodes to play.
    /// - Parameters:
    ///   - episodes: the episodes that have an enclosure, in document order.
    ///   - isSerial: if true, `all` is ordered by season and number.
    /// - Returns: the indices of the episodes to play, in playing order; at least one.
    /// - Throws: `missing` if no episode matches.
    public func select(from episodes: [Candidate], isSerial: Bool = false) throws(MediaFailure) -> [Int] {
        let newestFirst = Self.newestFirst(episodes)
        guard let newest = newestFirst.first, let oldest = newestFirst.last else {
            throw MediaFailure(.missing, "the feed has no episode with audio")
        }
        switch self {
        case .latest: return [newest]
        case .oldest: return [oldest]
        case .all: return isSerial ? Self.serialOrder(episodes, newestFirst) : newestFirst.reversed()
        case .nextOfSerial:
            let order = Self.serialOrder(episodes, newestFirst)
            let full = order.filter { episodes[$0].serialPosition.isFull }
            let chapters = full.isEmpty ? order : full
            return [chapters.first { !episodes[$0].isPlayed } ?? chapters[0]]
        case .number(let number):
            if (1...newestFirst.count).contains(number) { return [newestFirst[number - 1]] }
            // A number can also be a GUID.
            guard let exact = episodes.firstIndex(where: { $0.guid == "\(number)" }) else {
                let episodes = CountText.text(newestFirst.count, "episode")
                throw MediaFailure(.missing, "there is no episode \(number): the feed has \(episodes)")
            }
            return [exact]
        case .named(let text):
            guard let match = Self.named(text, episodes, newestFirst) else {
                throw MediaFailure(.missing, "no episode has the GUID or the title words \"\(text)\"")
            }
            return [match]
        }
    }

    private static func named(_ text: String, _ episodes: [Candidate], _ newestFirst: [Int]) -> Int? {
        newestFirst.first { episodes[$0].title.lowercased() == text.lowercased() }
            ?? episodes.firstIndex { $0.guid == text }
            ?? newestFirst.first { title(episodes[$0].title, has: text) }
    }

    /// Orders by season and number if most episodes have a number, with unnumbered episodes last; else by date.
    private static func serialOrder(_ episodes: [Candidate], _ newestFirst: [Int]) -> [Int] {
        let oldestFirst = Array(newestFirst.reversed())
        guard episodes.count(where: { $0.serialPosition.number != nil }) * 2 > episodes.count else {
            return oldestFirst
        }
        let keys = oldestFirst.enumerated().map { order, index in
            let place = episodes[index].serialPosition
            let isNumbered = place.isFull && place.number != nil
            return (index: index, key: (isNumbered ? 0 : 1, place.season ?? 0, place.number ?? 0, order))
        }
        return keys.sorted { $0.key < $1.key }.map(\.index)
    }

    /// Orders by date. An episode without a date stays next to its predecessor in the document, where feeds put the
    /// newest first.
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
