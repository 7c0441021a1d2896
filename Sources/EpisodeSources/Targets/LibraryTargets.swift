// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import HTTPTransfer
import Media
import Playback

/// The episodes to play from the library: the last unfinished one followed by the queue, or those that match a name.
public struct LibraryTargets: Sendable {
    let library: Library

    public init(_ library: Library) {
        self.library = library
    }

    /// Returns the last unfinished episode, then the queue; empty if both are missing.
    public func upNext() throws(LibraryError) -> [ResolvedEpisode] {
        let last = try library.lastStarted()
        return try resolvedEpisodes([last].compactMap { $0 } + library.queue().filter { $0.id != last?.id })
    }

    /// True if the listener is subscribed to at least one podcast.
    public func hasPodcasts() throws(LibraryError) -> Bool { try !library.feeds().isEmpty }

    /// The kinds of objects that a name is resolved to.
    public enum Scope: Sendable, Equatable {
        case everything
        /// Podcasts; their numbers then need no `p`.
        case podcasts
        /// The episodes of the podcast with this name.
        case episodes(ofPodcast: String)
    }

    /// The result of resolving a name.
    public struct Named: Sendable, Equatable {
        public let resolvedEpisodes: [ResolvedEpisode]
        /// A description of the matched object if the match was not exact.
        public let taken: String?
    }

    /// Resolves a name to episodes.
    /// - Parameter choice: the selection from a podcast's episodes; `nil` if the listener gave none.
    /// - Returns: `nil` if nothing has that name.
    public func resolvedEpisodes(
        named name: String, _ choice: EpisodeChoice? = nil, in scope: Scope = .everything
    ) throws(LibraryError) -> Named? {
        switch scope {
        case .podcasts: return try named(library.podcastMatch(name, isPodcast: true), choice)
        case .episodes(let podcast):
            let podcast = try library.podcast(named: podcast, isPodcast: true)
            return try named(library.episodeMatch(name, in: podcast.id))
        case .everything where choice != nil: return try named(podcastMatch(name), choice)
        case .everything: break
        }
        let match: NameMatch<NamedThing>
        do throws(LibraryError) {
            match = try library.object(named: name)
        } catch where error.kind == .missing {
            return nil
        }
        switch match.object {
        case .podcast(let podcast): return try named(NameMatch(thing: podcast, isExact: match.isExact), nil)
        case .episode(let episode): return try named(NameMatch(thing: episode, isExact: match.isExact))
        }
    }

    /// Resolves a name to a podcast, because the listener selects from its episodes.
    private func podcastMatch(_ name: String) throws(LibraryError) -> NameMatch<PodcastSummary> {
        do throws(LibraryError) {
            return try library.podcastMatch(name)
        } catch where error.kind == .missing {
            guard let match = try? library.object(named: name), case .episode(let episode) = match.object else {
                throw error
            }
            let name = "episode \(episode.id) \"\(episode.name)\""
            throw LibraryError(.missing, "\(name) is not a podcast: --episode selects from a podcast")
        }
    }

    private func named(_ match: NameMatch<EpisodeSummary>) throws(LibraryError) -> Named {
        Named(resolvedEpisodes: try resolvedEpisodes([match.object]), taken: match.taken)
    }

    private func named(
        _ match: NameMatch<PodcastSummary>, _ choice: EpisodeChoice?
    ) throws(LibraryError) -> Named {
        Named(resolvedEpisodes: try resolvedEpisodes(in: match.object, choice), taken: match.taken)
    }

    private func resolvedEpisodes(in podcast: PodcastSummary, _ choice: EpisodeChoice?) throws(LibraryError)
        -> [ResolvedEpisode]
    {
        let isSerial = podcast.isSerial
        return try resolvedEpisodes(chosen(choice ?? .usual(isSerial: isSerial), of: podcast))
    }

    /// The part of a podcast's episodes that the listener wants.
    public struct Part: Sendable, Equatable {
        /// True for the reverse of the listening order.
        public var newestFirst: Bool
        public var includesPlayed: Bool
        /// The greatest number of episodes; `nil` for all.
        public var most: Int?

        public init(newestFirst: Bool = false, includesPlayed: Bool = false, most: Int? = nil) {
            (self.newestFirst, self.includesPlayed, self.most) = (newestFirst, includesPlayed, most)
        }
    }

    /// Returns the unplayed episodes of a podcast in listening order, or the part that the listener wants.
    /// - Throws: `missing` if no episode has audio or all have been played.
    public func unplayed(of podcast: PodcastSummary, _ part: Part = Part()) throws(LibraryError) -> [EpisodeSummary] {
        let all = try chosen(.all, of: podcast)
        let unplayed = part.includesPlayed ? all : all.filter { $0.progress != .played }
        guard !unplayed.isEmpty else {
            throw LibraryError(.missing, "all episodes of \"\(podcast.name)\" are marked as played")
        }
        return Array((part.newestFirst ? unplayed.reversed() : unplayed).prefix(part.most ?? unplayed.count))
    }

    private func chosen(
        _ choice: EpisodeChoice, of podcast: PodcastSummary
    ) throws(LibraryError) -> [EpisodeSummary] {
        let all = try library.episodes(EpisodeFilter(podcast: podcast.id), limit: Self.mostEpisodes).episodes
        let episodes = all.filter(\.hasAudio)
        guard !episodes.isEmpty else {
            let lack = all.isEmpty ? "has no episodes yet" : "has no episode with audio"
            throw LibraryError(.missing, "\"\(podcast.name)\" \(lack)")
        }
        do throws(MediaFailure) {
            let chosen = try choice.select(from: episodes.map(\.candidate), isSerial: podcast.isSerial)
            return chosen.map { episodes[$0] }
        } catch {
            throw LibraryError(.missing, error.reason)
        }
    }

    private static let mostEpisodes = 20_000

    func resolvedEpisodes(_ episodes: [EpisodeSummary]) throws(LibraryError) -> [ResolvedEpisode] {
        var resolvedEpisodes: [ResolvedEpisode] = []
        // An episode that lost its audio does not prevent the others from being played.
        for episode in episodes where episodes.count == 1 || episode.hasAudio {
            resolvedEpisodes.append(try resolved(episode))
        }
        return resolvedEpisodes
    }

    /// Returns the GUIDs of the played episodes of a feed.
    public func played(inFeed url: String) throws(LibraryError) -> Set<String> {
        guard let podcast = try library.podcast(at: url) else { return [] }
        let filter = EpisodeFilter(podcast: podcast.id, states: [.played])
        return Set(try library.episodes(filter, limit: Self.mostEpisodes).episodes.map(\.guid))
    }

    /// Returns audio that the listener named by its address. If an episode's file is named after the address, this
    /// download gets another name, because the address may have other audio by now.
    func enclosure(at url: String) throws(LibraryError) -> RemoteEnclosure {
        RemoteEnclosure(url: url, keptAs: try library.hasFile(named: url) ? url + "#alone" : nil)
    }

    /// Returns the library's record of an episode that was named by its feed's address; `nil` if the library does not
    /// have it.
    public func resolved(guid: String, inFeed url: String) throws(LibraryError) -> ResolvedEpisode? {
        guard let podcast = try library.podcast(at: url) else { return nil }
        guard let episode = try library.episode(guid: guid, in: podcast.id) else { return nil }
        return try resolved(episode)
    }

    /// Returns the start position: shortly before the last position, or after the introduction, as the settings say.
    private func startPosition(
        of episode: EpisodeSummary, by author: String?
    ) throws(LibraryError) -> ResolvedEpisode.LibraryEntry {
        let settings = try ItemSettings(library.effectiveSettings(for: episode.podcast), within: episode.duration)
        var start = settings.introduction.map { TimeTarget.time($0) }
        if episode.progress == .started {
            let distance = settings.rewind.distance(after: timeSincePlaying(episode))
            let hidden = try settings.skipsHiddenChapters && distance > .zero ? hiddenChapters(of: episode) : []
            start = TimeTarget(episode.position.rewound(by: distance, without: hidden), from: episode.anchor)
        }
        return .init(
            episode: episode.id, position: start, expectedDuration: episode.duration, settings: settings,
            author: author)
    }

    /// Returns the chapters that the feed of an episode hides; none if the position is an estimate, as in the player.
    private func hiddenChapters(of episode: EpisodeSummary) throws(LibraryError) -> [Range<Duration>] {
        guard episode.anchor == nil else { return [] }
        return try ItemChapters(library.chapterLists(of: episode.id), length: episode.duration)?.hidden ?? []
    }

    private func timeSincePlaying(_ episode: EpisodeSummary) -> Duration {
        .seconds(episode.playedAt.map { library.currentTime.secondsSince1970 - $0.secondsSince1970 } ?? 0)
    }

    /// Returns the episode with its enclosure, credentials and start position.
    /// - Throws: `missing` if the episode has no audio.
    public func resolved(_ episode: EpisodeSummary) throws(LibraryError) -> ResolvedEpisode {
        try episode.expectAudio()
        let kept = try library.keptIssue(of: episode.id)
        // A stored file is audio even if its feed no longer lists it.
        let url = episode.enclosureURL ?? kept?.address ?? ""
        let podcast = try library.podcast(episode.podcast)
        let login = try library.login(for: podcast.id)
        let enclosure = RemoteEnclosure(
            url: url, feed: podcast.feedURL, reach: podcast.feed.isPublic ? .publicOnly() : .any,
            claimedLength: episode.enclosureLength, type: episode.enclosureType, keptAs: kept?.name,
            folder: kept?.folder, freshness: kept?.freshness(of: episode) ?? .unclear,
            credentials: login.map { Credentials(user: $0.user, password: $0.password) })
        return try ResolvedEpisode(
            title: episode.name, podcast: podcast.title, location: RedactedURL(url).description,
            claimedDuration: episode.claimedDuration, origin: .remote(enclosure),
            place: startPosition(of: episode, by: podcast.author))
    }
}

extension PodcastSummary {
    fileprivate var isSerial: Bool { kind == "serial" }
}

extension EpisodeSummary {
    fileprivate var candidate: EpisodeChoice.Candidate {
        EpisodeChoice.Candidate(
            guid: guid, title: title ?? "", published: published?.secondsSince1970,
            place: .init(season: season, number: number, isFull: kind ?? "full" == "full"),
            isPlayed: progress == .played)
    }
}

extension KeptIssue {
    /// The address that the file was fetched from.
    fileprivate var address: String { fetched?.url ?? String(name.prefix { $0 != "#" }) }

    fileprivate func freshness(of episode: EpisodeSummary) -> RemoteEnclosure.Freshness {
        guard let url = episode.enclosureURL else { return .known }
        guard let fetched else { return .unclear }
        let issue = EpisodeIssue(url: url, published: episode.published, length: episode.enclosureLength)
        switch issue.compared(with: fetched) {
        case .same: return isLatestOfAddress ? .unclear : .known
        case .unclear: return .unclear
        case .later: return .outdated
        }
    }
}
