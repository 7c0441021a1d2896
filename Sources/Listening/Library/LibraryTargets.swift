// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import HTTPTransfer
import Media
import Podcasts

/// What of the library is played: where the listener was, and then the queue; or what a name means.
public struct LibraryTargets: Sendable {
    private let library: Library

    public init(_ library: Library) {
        self.library = library
    }

    /// The episode that was left unfinished last, then the queue; where both are empty, nothing.
    public func upNext() throws(LibraryError) -> [Playable] {
        let last = try library.lastStarted()
        return try playables([last].compactMap { $0 } + library.queue().filter { $0.id != last?.id })
    }

    /// What is in the queue besides these episodes.
    public func queued(besides known: Set<Int64>) throws(LibraryError) -> [Playable] {
        try playables(library.queue().filter { !known.contains($0.id) && $0.enclosureURL != nil })
    }

    /// - Parameters:
    ///   - name: of an episode, or of a podcast.
    ///   - choice: which of the podcast's episodes.
    public func playables(
        named name: String, _ choice: EpisodeChoice
    ) throws(LibraryError) -> [Playable] {
        let notThere: LibraryError
        do throws(LibraryError) {
            return try playables([library.episode(named: name)])
        } catch where error.kind == .missing {
            notThere = error
        }
        do throws(LibraryError) {
            return try playables(in: library.podcast(named: name), choice)
        } catch where error.kind == .missing {
            throw notThere
        }
    }

    private func playables(in podcast: PodcastSummary, _ choice: EpisodeChoice) throws(LibraryError) -> [Playable] {
        let episodes = try library.episodes(EpisodeFilter(podcast: podcast.id), limit: 20_000).episodes
            .filter { $0.enclosureURL != nil }
        let candidates = episodes.map {
            EpisodeChoice.Candidate(guid: $0.guid, title: $0.title ?? "", published: $0.published?.secondsSince1970)
        }
        let chosen: [Int]
        do throws(MediaFailure) {
            chosen = try choice.select(from: candidates)
        } catch {
            throw LibraryError(.missing, "\(podcast.name): \(error.reason)")
        }
        return try playables(chosen.map { episodes[$0] })
    }

    private func playables(_ episodes: [EpisodeSummary]) throws(LibraryError) -> [Playable] {
        var playables: [Playable] = []
        // What has lost its audio is no reason not to hear the others.
        for episode in episodes where episodes.count == 1 || episode.enclosureURL != nil {
            playables.append(try playable(episode))
        }
        return playables
    }

    /// The place in the library of an episode that was named by its feed's address.
    public func place(of guid: String, inFeed url: String) throws(LibraryError) -> Playable.Place? {
        let podcast: PodcastSummary
        do throws(LibraryError) {
            podcast = try library.podcast(named: url)
        } catch where error.kind == .missing {
            return nil
        }
        guard let episode = try library.episode(guid: guid, in: podcast.id) else { return nil }
        return try place(of: episode)
    }

    /// A bit before where the listener was, or behind the introduction, as the settings say.
    private func place(of episode: EpisodeSummary) throws(LibraryError) -> Playable.Place {
        let settings = try library.heldSettings(for: episode.podcast)
        if episode.progress == .started {
            guard case .duration(let back) = settings[.rewindOnResume] else { return .init(episode, episode.position) }
            return .init(episode, max(.zero, episode.position - back))
        }
        guard case .duration(let intro) = settings[.skipIntro], intro > .zero, intro < episode.duration ?? .zero
        else { return .init(episode, nil) }
        return .init(episode, intro)
    }

    /// - Throws: `invalid`, where it has no audio.
    public func playable(_ episode: EpisodeSummary) throws(LibraryError) -> Playable {
        let url = try episode.audioURL()
        let podcast = try library.podcast(episode.podcast)
        let login = try library.login(for: podcast.id)
        let kept = try library.download(of: episode.id)
        let enclosure = RemoteEnclosure(
            url: url, feed: podcast.feedURL, reach: podcast.feed.isPublic ? .publicOnly() : .any,
            claimedLength: episode.enclosureLength, keptAs: kept?.keptAs,
            credentials: login.map { Credentials(user: $0.user, password: $0.password) })
        return try Playable(
            title: episode.name, podcast: podcast.title, location: RedactedURL(url).description,
            claimedDuration: episode.duration, origin: .remote(enclosure),
            place: place(of: episode))
    }
}

extension Playable.Place {
    fileprivate init(_ episode: EpisodeSummary, _ position: Duration?) {
        self.init(episode: episode.id, position: position)
    }
}
