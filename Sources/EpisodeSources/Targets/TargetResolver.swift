// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
public import HTTPTransfer
public import Media
import Subscriptions

/// A resolver of the listener's targets: the URL or path of a feed or of an audio file, or a name in the library.
public struct TargetResolver: Sendable {
    private let fetcher: FeedFetcher
    private let library: LibraryTargets?
    private let scope: LibraryTargets.Scope
    private let announce: @Sendable (String) -> Void

    /// - Parameters:
    ///   - library: the library; if it is `nil`, no names are resolved.
    ///   - scope: the kind of object that targets name; except with `everything`, targets are neither addresses nor
    ///     files.
    ///   - announce: receives a sentence that describes an inexact match.
    public init(
        transport: any HTTPTransport, library: LibraryTargets? = nil, scope: LibraryTargets.Scope = .everything,
        announce: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        fetcher = FeedFetcher(transport: transport)
        self.library = library
        self.scope = scope
        self.announce = announce
    }

    /// Returns the sentence that describes an inexact match.
    /// - Parameter taken: a description of the matched object.
    public static func sentence(matching name: String, _ taken: String) -> String {
        "\"\(shown(name))\" matches \(taken)"
    }

    /// Returns the target for display: an address without its secrets, a path unchanged.
    public static func shown(_ target: String) -> String {
        WebURL(target).isAbsolute ? RedactedURL(target).description : PublicAddress.typed(target)
    }

    /// True if the target is neither an address nor an existing file, so that it can only be a name in the library.
    public static func isName(_ target: String) -> Bool {
        do throws(MediaFailure) { _ = try TargetKind(target) } catch { return error.kind == .missing }
        return false
    }

    /// Resolves a target to episodes or files.
    /// - Parameter choice: the selection from a podcast's episodes; `nil` if the listener gave none.
    /// - Returns: the episodes or files to play, in order; at least one.
    /// - Throws: the reason why the target cannot be used, as the end of a sentence that begins with the target.
    public func resolve(_ target: String, _ choice: EpisodeChoice?) async throws(MediaFailure) -> [ResolvedEpisode] {
        guard scope == .everything else { return try await resolvedEpisodes(named: target, choice) }
        if library != nil, Library.isNumber(target) {
            // A number means an object in the library first, but may also be the name of a file.
            do throws(MediaFailure) { return try await resolvedEpisodes(named: target, choice) } catch {
                guard error.kind == .missing else { throw error }
            }
        }
        let kind: TargetKind
        do throws(MediaFailure) {
            kind = try TargetKind(target)
        } catch where error.kind == .missing || library != nil && !target.contains("/") {
            return try await resolvedEpisodes(named: target, choice, else: error)
        }
        return await withGeneralSettings(try await resolvedEpisodes(kind, choice))
    }

    /// Adds the listener's general settings to files and addresses that the library does not have.
    private func withGeneralSettings(_ episodes: [ResolvedEpisode]) async -> [ResolvedEpisode] {
        guard let library, episodes.contains(where: { $0.libraryEntry == nil }) else { return episodes }
        return await DiskWork.run { () throws(Never) in
            // An error of the library must not prevent playback.
            do throws(LibraryError) {
                let settings = try library.generalSettings()
                return episodes.map { $0.processed(by: settings) }
            } catch {
                return episodes
            }
        }
    }

    /// - Parameter failure: the error of the file with that name, since a directory may have the name of a podcast.
    private func resolvedEpisodes(
        named name: String, _ choice: EpisodeChoice?, else failure: MediaFailure
    ) async throws(MediaFailure) -> [ResolvedEpisode] {
        do throws(MediaFailure) {
            return try await resolvedEpisodes(named: name, choice)
        } catch where error.kind == .missing && failure.kind != .missing {
            throw failure
        }
    }

    private func resolvedEpisodes(_ kind: TargetKind, _ choice: EpisodeChoice?) async throws(MediaFailure)
        -> [ResolvedEpisode]
    {
        switch kind {
        case .audioFile(let path):
            try expectNoChoice(choice)
            let title = await DiskWork.run { () throws(Never) in FileTitle.title(ofFile: path) }
            return [resolved(.file(path: path), title: title)]
        case .audioURL(let url):
            try expectNoChoice(choice)
            return [await resolved(at: url)]
        case .feedFile(let path):
            // A local feed may link to local files; a feed from a server may not.
            return try resolvedEpisodes(of: FeedFile.parse(path, baseURL: FileURL.url(ofPath: path)), choice) {
                enclosure, alternative in
                FileURL.path(ofURL: enclosure.url).map { .file(path: $0) }
                    ?? .remote(
                        RemoteEnclosure(
                            url: enclosure.url, claimedLength: enclosure.length, alternative: alternative))
            }.map(\.resolved)
        case .url(let url):
            switch try await fetcher.fetch(url) {
            case .audio:
                try expectNoChoice(choice)
                return [await resolved(at: url)]
            case .feed(let feed, let source):
                let played = await played(inFeed: url)
                return await withLibraryRecords(
                    in: url,
                    try resolvedEpisodes(of: feed, choice, played: played) { enclosure, alternative in
                        .remote(
                            RemoteEnclosure(
                                url: enclosure.url, feed: url, reach: AddressScope.any.named(by: source),
                                claimedLength: enclosure.length, type: enclosure.type,
                                freshness: feed.givesEachItsAddress ? .known : .unclear, alternative: alternative))
                    })
            }
        }
    }

    private func resolvedEpisodes(named name: String, _ choice: EpisodeChoice?) async throws(MediaFailure)
        -> [ResolvedEpisode]
    {
        let (library, scope) = (library, scope)
        let named: LibraryTargets.Named?
        do throws(LibraryError) {
            named = try await DiskWork.run { () throws(LibraryError) in
                try library?.resolvedEpisodes(named: name, choice, in: scope)
            }
        } catch {
            throw MediaFailure(error)
        }
        guard let named else { throw await unknown(name) }
        if let taken = named.taken { announce(Self.sentence(matching: name, taken)) }
        return named.resolvedEpisodes
    }

    /// Returns the failure for a name that neither a file nor the library has.
    private func unknown(_ name: String) async -> MediaFailure {
        let library = library
        let hasPodcasts = await DiskWork.run { () throws(Never) -> Bool in
            // After an error, the library may have podcasts.
            do throws(LibraryError) { return try library?.hasPodcasts() ?? false } catch { return true }
        }
        if hasPodcasts { return MediaFailure(.missing, "no such file, and nothing in the library has this name") }
        let advice = "there are no podcasts yet; subscribe first (earshot subscribe WORDS)"
        guard scope == .everything else { return MediaFailure(.missing, advice) }
        guard !name.contains("/") else { return MediaFailure(.missing, "no such file") }
        return MediaFailure(.missing, "no such file, and \(advice), or name a URL or a file")
    }

    /// Returns the GUIDs of the played episodes of a feed, if the library has the feed.
    private func played(inFeed url: String) async -> Set<String> {
        guard let library else { return [] }
        return await DiskWork.run { () throws(Never) in
            // An error of the library must not prevent playback.
            do throws(LibraryError) { return try library.played(inFeed: url) } catch { return [] }
        }
    }

    /// Throws an error if the listener gave a selection: an audio file has no episodes to select from.
    private func expectNoChoice(_ choice: EpisodeChoice?) throws(MediaFailure) {
        guard choice == nil else {
            throw MediaFailure(.missing, "not a podcast or feed: --episode selects from a podcast or a feed")
        }
    }

    /// Adds the library's records: episodes in the library begin at the listener's position, and their positions are
    /// saved.
    private func withLibraryRecords(
        in feed: String, _ resolvedEpisodes: [(guid: String, resolved: ResolvedEpisode)]
    ) async -> [ResolvedEpisode] {
        guard let library else { return resolvedEpisodes.map(\.resolved) }
        return await DiskWork.run { () throws(Never) in
            resolvedEpisodes.map { guid, resolved in
                // An error of the library must not prevent playback.
                do throws(LibraryError) {
                    return resolved.known(as: try library.resolved(guid: guid, inFeed: feed))
                } catch {
                    return resolved
                }
            }
        }
    }

    private func resolved(at url: String) async -> ResolvedEpisode {
        guard let library else { return resolved(.remote(url: url)) }
        let enclosure = await DiskWork.run { () throws(Never) -> RemoteEnclosure in
            // An error of the library must not prevent playback.
            do throws(LibraryError) { return try library.enclosure(at: url) } catch { return RemoteEnclosure(url: url) }
        }
        return resolved(.remote(enclosure))
    }

    /// - Parameter title: the title; `nil` uses the name of the file.
    private func resolved(_ origin: ResolvedEpisode.Origin, title: String? = nil) -> ResolvedEpisode {
        let location = origin.shown
        let name = location.split(separator: "/").last.map(String.init) ?? location
        return ResolvedEpisode(
            title: title ?? name, podcast: nil, location: location, claimedDuration: nil, origin: origin)
    }

    private func resolvedEpisodes(
        of feed: ParsedFeed, _ choice: EpisodeChoice?, played: Set<String> = [],
        origin: (_ enclosure: ParsedEnclosure, _ alternative: ParsedEnclosure?) -> ResolvedEpisode.Origin
    ) throws(MediaFailure) -> [(guid: String, resolved: ResolvedEpisode)] {
        let episodes = feed.episodes.filter { $0.playableEnclosure != nil }
        let isSerial = feed.order == .serial
        let choice = choice ?? .usual(isSerial: isSerial)
        let candidates = episodes.map { $0.candidate(isPlayed: played.contains($0.id.rawValue)) }
        return try choice.select(from: candidates, isSerial: isSerial).compactMap { index in
            let episode = episodes[index]
            guard let enclosure = episode.playableEnclosure else { return nil }
            let origin = origin(enclosure, episode.alternateAudio)
            let resolved = ResolvedEpisode(
                title: episode.title ?? "untitled", podcast: feed.title, location: origin.shown,
                claimedDuration: episode.duration, origin: origin,
                chapterLists: episode.chapters.isEmpty ? [] : [ChapterList(.podlove, episode.chapters)])
            return (episode.id.rawValue, resolved)
        }
    }
}

extension ResolvedEpisode.Origin {
    /// The location without secrets.
    fileprivate var shown: String {
        switch self {
        case .file(let path): path
        case .remote(let enclosure): RedactedURL(enclosure.url).description
        }
    }
}

extension ParsedFeed {
    /// True if each episode has its own audio address; news bulletins often share one address.
    fileprivate var givesEachItsAddress: Bool {
        let addresses = episodes.compactMap { $0.playableEnclosure?.url }
        return addresses.count > 1 && Set(addresses).count == addresses.count
    }
}

extension ParsedEpisode {
    fileprivate func candidate(isPlayed: Bool) -> EpisodeChoice.Candidate {
        EpisodeChoice.Candidate(
            guid: guid, title: title ?? "", published: published?.secondsSince1970,
            place: .init(season: season, number: number, isFull: kind ?? .full == .full), isPlayed: isPlayed)
    }
}
