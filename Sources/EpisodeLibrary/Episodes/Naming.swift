// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// An object that a name refers to.
public enum NamedThing: Sendable, Equatable {
    case podcast(PodcastSummary)
    case episode(EpisodeSummary)
}

/// The object found by a name.
public struct NameMatch<Thing: Sendable>: Sendable {
    public let object: Thing
    /// True for a match by number, address or whole title; an inexact match is reported to the listener.
    public let isExact: Bool

    public init(thing: Thing, isExact: Bool) { (self.object, self.isExact) = (thing, isExact) }
}

extension NameMatch<EpisodeSummary> {
    /// A description of the episode if the match was not exact.
    public var taken: String? { isExact ? nil : "episode \(object.id), \"\(object.name)\"" }
}

extension NameMatch<PodcastSummary> {
    /// A description of the podcast if the match was not exact.
    public var taken: String? { isExact ? nil : "the podcast \"\(object.name)\"" }
}

/// Resolution of names in the library. Every command uses it, so that a name means the same everywhere: a number,
/// then a whole title (podcasts before episodes), then words of a title, then a GUID.
extension Library {
    /// Returns the podcast or episode with a name.
    /// - Throws: `missing`, or `ambiguous` with the candidates.
    public func object(named text: String) throws(LibraryError) -> NameMatch<NamedThing> {
        let search = NameSearch(library: self, text: text)
        for rule in try search.rules() {
            if let podcast = try only(search.podcasts(by: rule), for: text) {
                return NameMatch(thing: .podcast(podcast), isExact: rule.isExact)
            }
            if let episode = try Self.only(search.episodes(by: rule), for: text) {
                return NameMatch(thing: .episode(episode), isExact: rule.isExact)
            }
        }
        throw LibraryError(.missing, "nothing in the library is called \(Self.quoted(text))")
    }

    /// True if the text has the form of an episode's or a podcast's number.
    public static func isNumber(_ text: String) -> Bool {
        (NameSearch.number(text) ?? NameSearch.podcastNumber(text)) != nil
    }

    // MARK: Podcasts

    /// Returns the podcast with a name.
    /// - Parameter isPodcast: true if the name must mean a podcast; a number then needs no `p`.
    public func podcastMatch(
        _ text: String, isPodcast: Bool = false
    ) throws(LibraryError) -> NameMatch<PodcastSummary> {
        let number = NameSearch.number(text)
        if isPodcast, let number, try hasPodcast(number) {
            return NameMatch(thing: try podcast(number), isExact: true)
        }
        let search = NameSearch(library: self, text: text)
        for rule in NameRule.allCases where rule.isExact || number == nil {
            if let podcast = try only(search.podcasts(by: rule), for: text) {
                return NameMatch(thing: podcast, isExact: rule.isExact)
            }
        }
        throw try missingPodcast(text, number: isPodcast ? nil : number)
    }

    /// Returns the podcast with a name.
    public func podcast(named text: String, isPodcast: Bool = false) throws(LibraryError) -> PodcastSummary {
        try podcastMatch(text, isPodcast: isPodcast).object
    }

    /// Returns the podcast whose feed is at `url`.
    /// - Returns: `nil` if no podcast has its feed there.
    public func podcast(at url: String) throws(LibraryError) -> PodcastSummary? {
        try NameSearch(library: self, text: url).podcasts(by: .address).first.map(podcast)
    }

    private func hasPodcast(_ number: Int64) throws(LibraryError) -> Bool {
        try !NameSearch(library: self, text: "p\(number)").podcasts(by: .number).isEmpty
    }

    /// Returns the error for a missing podcast; a number without `p` means an episode.
    private func missingPodcast(_ text: String, number: Int64?) throws(LibraryError) -> LibraryError {
        guard let number else { return LibraryError(.missing, "no podcast is called \(Self.quoted(text))") }
        let episode = try episodes(numbered: [number]).first.map { "\(number) is the episode \"\($0.name)\"" }
        let podcast = try hasPodcast(number) ? "podcast \(number) is written p\(number)" : nil
        let hints = [episode ?? "\(number) is an episode's number", podcast].compactMap { $0 }.joined(separator: "; ")
        return LibraryError(.missing, "no podcast is called \"\(number)\": \(hints)")
    }

    // MARK: Episodes

    /// Returns the episode with a name.
    /// - Parameter podcast: the podcast to search; `nil` searches all.
    public func episodeMatch(
        _ text: String, in podcast: Int64? = nil
    ) throws(LibraryError) -> NameMatch<EpisodeSummary> {
        let search = NameSearch(library: self, text: text, podcast: podcast)
        for rule in try search.rules() {
            if let episode = try Self.only(search.episodes(by: rule), for: text) {
                return NameMatch(thing: episode, isExact: rule.isExact)
            }
            // An exact name of a podcast does not match episodes by their words.
            if rule == .episodeTitle, podcast == nil { try refusePodcast(search) }
        }
        throw LibraryError(.missing, "no episode is called \(Self.quoted(text))")
    }

    private func refusePodcast(_ search: NameSearch) throws(LibraryError) {
        for rule in [NameRule.number, .address, .ownTitle, .podcastTitle] {
            guard let id = try search.podcasts(by: rule).first else { continue }
            let name = try podcast(id).name
            throw LibraryError(.missing, "\"\(name)\" is a podcast: name one of its episodes")
        }
    }

    /// Returns the episode with a name.
    public func episode(named text: String, in podcast: Int64? = nil) throws(LibraryError) -> EpisodeSummary {
        try episodeMatch(text, in: podcast).object
    }

    /// Returns the episodes with these names, each once, in the order of the names.
    /// - Throws: the error of `episodeMatch(_:in:)` for the first name that cannot be resolved.
    public func episodes(
        named texts: [String], in podcast: Int64? = nil
    ) throws(LibraryError) -> [EpisodeSummary] {
        var episodes: [EpisodeSummary] = []
        for text in texts {
            let episode = try episode(named: text, in: podcast)
            if !episodes.contains(where: { $0.id == episode.id }) { episodes.append(episode) }
        }
        return episodes
    }

    /// Returns the episode with a GUID.
    /// - Returns: `nil` if no episode, or more than one, has this GUID.
    public func episode(guid: String, in podcast: Int64) throws(LibraryError) -> EpisodeSummary? {
        let ids = try read { db in try Self.episodes(guid: guid, podcast, db) }
        return ids.count == 1 ? try episode(ids[0]) : nil
    }

    /// Returns the numbers of the episodes with a GUID.
    /// - Returns: two numbers at most.
    static func episodes(guid: String, _ podcast: Int64?, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM episode WHERE guid_key = :key AND guid = :guid
                    AND (:podcast IS NULL OR podcast = :podcast) LIMIT 2
                """, arguments: ["key": ContentDigest.of(guid), "guid": guid, "podcast": podcast])
    }

    /// The number of newest episodes to consider if the words match several.
    private static let mostLookedAt = 200

    /// Returns the episodes whose title matches, the newest first.
    /// - Parameter isWhole: true if the words must be the whole title, false if a part is enough.
    func episodes(titled text: String, _ podcast: Int64?, isWhole: Bool) throws(LibraryError) -> [EpisodeSummary] {
        guard let query = SearchQuery(text) else { return [] }
        let waiting = try waitingEpisodes(titled: query, isWhole: isWhole)
        let key = isWhole ? ContentDigest.of(EpisodeEvidence.folded(text)) : nil
        let found = try read { db in
            try Row.fetchAll(
                db,
                sql: EpisodeSummary.query + """
                    WHERE episode.id IN (
                            SELECT rowid FROM title_words WHERE title_words MATCH :query
                            UNION SELECT value FROM json_each(:waiting))
                        AND \(EpisodeSummary.isShown) AND (:podcast IS NULL OR episode.podcast = :podcast)
                        AND (:key IS NULL OR title_key = :key)
                    ORDER BY sorted_at DESC LIMIT :limit
                    """,
                arguments: [
                    "query": query.expression(isWhole: isWhole), "waiting": "\(waiting)", "podcast": podcast,
                    "key": key, "limit": Self.mostLookedAt,
                ]
            ).map(EpisodeSummary.init(row:))
        }
        // The key contains only letters and digits, so it does not show the word boundaries.
        return isWhole ? found.filter { TitleFolding.words($0.name) == TitleFolding.words(text) } : found
    }
}

// MARK: Ambiguous names
extension Library {
    private static let mostNamed = 5

    private static func quoted(_ text: String) -> String { "\"\(PublicAddress.typed(text))\"" }

    private func only(_ ids: [Int64], for text: String) throws(LibraryError) -> PodcastSummary? {
        guard let first = ids.first else { return nil }
        guard ids.count > 1 else { return try podcast(first) }
        var names: [String] = []
        for id in ids.prefix(Self.mostNamed) { names.append("p\(id) \(try podcast(id).name)") }
        throw Self.ambiguous(text, "podcasts", names, of: ids.count)
    }

    private static func only(
        _ episodes: [EpisodeSummary], for text: String
    ) throws(LibraryError) -> EpisodeSummary? {
        guard episodes.count > 1 else { return episodes.first }
        let names = closest(episodes, to: text).prefix(mostNamed).map { episode in
            "\(episode.id) \(episode.name)" + (episode.podcastTitle.map { " (\($0))" } ?? "")
        }
        throw ambiguous(text, "episodes", names, of: episodes.count)
    }

    private static func ambiguous(_ text: String, _ kind: String, _ names: [String], of count: Int) -> LibraryError {
        LibraryError("\(quoted(text)) matches several \(kind)", choices: names + (count > names.count ? ["..."] : []))
    }

    /// Orders titles that begin with the words first, by their length; then the newest.
    private static func closest(_ episodes: [EpisodeSummary], to text: String) -> [EpisodeSummary] {
        let wanted = TitleFolding.words(text)
        let ranked = episodes.enumerated().map { place, episode in
            let words = TitleFolding.words(episode.name)
            let begins = words.starts(with: wanted)
            return (episode: episode, rank: begins ? (0, words.count, place) : (1, 0, place))
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.episode)
    }
}
