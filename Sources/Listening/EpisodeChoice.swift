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
    /// A whole title or an exact GUID, else words that all stand in the title, in any case and order.
    case named(String)
    /// The first episode of a serial that was not played; the first of all when all were.
    case nextOfSerial

    /// What is played of a podcast when the listener chooses nothing.
    public static func usual(isSerial: Bool) -> EpisodeChoice { isSerial ? .nextOfSerial : .latest }

    /// What choosing looks at.
    public struct Candidate: Sendable, Equatable {
        public let guid: String?
        public let title: String
        /// Seconds since 1970; `nil` where the feed does not say.
        public let published: Int64?
        /// Where a serial has it.
        public let place: SerialPlace
        public let isPlayed: Bool

        public init(
            guid: String?, title: String, published: Int64?, place: SerialPlace = SerialPlace(), isPlayed: Bool = false
        ) {
            self.guid = guid
            self.title = title
            self.published = published
            self.place = place
            self.isPlayed = isPlayed
        }
    }

    /// What a feed says about an episode's place in a serial.
    public struct SerialPlace: Sendable, Equatable {
        public let season: Int?
        public let number: Int?
        /// Neither a trailer nor a bonus.
        public let isFull: Bool

        public init(season: Int? = nil, number: Int? = nil, isFull: Bool = true) {
            (self.season, self.number, self.isFull) = (season, number, isFull)
        }
    }

    /// - Parameters:
    ///   - episodes: in document order, those with an enclosure.
    ///   - isSerial: `all` goes by season and number.
    /// - Returns: the indices of those to play, in the order of playing; at least one.
    /// - Throws: `missing`, where there is none such.
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
            let full = order.filter { episodes[$0].place.isFull }
            let chapters = full.isEmpty ? order : full
            return [chapters.first { !episodes[$0].isPlayed } ?? chapters[0]]
        case .number(let number):
            if (1...newestFirst.count).contains(number) { return [newestFirst[number - 1]] }
            // A number can also be a GUID.
            guard let exact = episodes.firstIndex(where: { $0.guid == "\(number)" }) else {
                let count = newestFirst.count
                let episodes = count == 1 ? "1 episode" : "\(count) episodes"
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

    /// By season and number where most episodes have one, and those without behind them; else by date.
    private static func serialOrder(_ episodes: [Candidate], _ newestFirst: [Int]) -> [Int] {
        let oldestFirst = Array(newestFirst.reversed())
        guard episodes.count(where: { $0.place.number != nil }) * 2 > episodes.count else { return oldestFirst }
        let keys = oldestFirst.enumerated().map { order, index in
            let place = episodes[index].place
            let isNumbered = place.isFull && place.number != nil
            return (index: index, key: (isNumbered ? 0 : 1, place.season ?? 0, place.number ?? 0, order))
        }
        return keys.sorted { $0.key < $1.key }.map(\.index)
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
