// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
public import HTTPTransfer
public import Media
import Podcasts

/// Finds out what a listener means by a target: the URL or path of a feed, or of an audio file.
public struct TargetResolver: Sendable {
    private let fetcher: FeedFetcher

    public init(transport: any HTTPTransport) {
        fetcher = FeedFetcher(transport: transport)
    }

    /// A target as it may be shown: an address without its secrets, a path as it is.
    public static func shown(_ target: String) -> String {
        target.contains("://") ? RedactedURL(target).description : target
    }

    /// - Returns: what to play, in order; at least one.
    /// - Throws: what is wrong with the target, for a sentence that begins with it.
    public func resolve(_ target: String, _ choice: EpisodeChoice) async throws(MediaFailure) -> [Playable] {
        switch try TargetKind(target) {
        case .audioFile(let path): return [playable(.file(path: path))]
        case .audioURL(let url): return [playable(.remote(url: url))]
        case .feedFile(let path):
            // A feed on this machine may name files on it; one from elsewhere may not.
            return try playables(of: FeedFile.parse(path, baseURL: FileURL.url(ofPath: path)), choice) { enclosure in
                FileURL.path(ofURL: enclosure.url).map { .file(path: $0) }
                    ?? .remote(RemoteEnclosure(url: enclosure.url, claimedLength: enclosure.length))
            }
        case .url(let url):
            switch try await fetcher.fetch(url) {
            case .audio: return [playable(.remote(url: url))]
            case .feed(let feed, let source):
                return try playables(of: feed, choice) { enclosure in
                    .remote(
                        RemoteEnclosure(
                            url: enclosure.url, feed: url, reach: AddressReach.any.named(by: source),
                            claimedLength: enclosure.length))
                }
            }
        }
    }

    private func playable(_ origin: Playable.Origin) -> Playable {
        let location = origin.shown
        let name = location.split(separator: "/").last.map(String.init) ?? location
        return Playable(title: name, podcast: nil, location: location, claimedDuration: nil, origin: origin)
    }

    private func playables(
        of feed: ParsedFeed, _ choice: EpisodeChoice, origin: (ParsedEnclosure) -> Playable.Origin
    ) throws(MediaFailure) -> [Playable] {
        let episodes = feed.episodes.filter { $0.audio != nil }
        let candidates = episodes.map {
            EpisodeChoice.Candidate(guid: $0.guid, title: $0.title ?? "", published: $0.published?.secondsSince1970)
        }
        return try choice.select(from: candidates).compactMap { index in
            let episode = episodes[index]
            guard let enclosure = episode.audio else { return nil }
            let origin = origin(enclosure)
            return Playable(
                title: episode.title ?? "untitled", podcast: feed.title, location: origin.shown,
                claimedDuration: episode.duration, origin: origin)
        }
    }
}

extension Playable.Origin {
    /// Without its secrets.
    fileprivate var shown: String {
        switch self {
        case .file(let path): path
        case .remote(let enclosure): RedactedURL(enclosure.url).description
        }
    }
}

extension ParsedEpisode {
    /// The enclosure to be heard: the first that is audio by its type, else the first of unknown type.
    var audio: ParsedEnclosure? {
        enclosures.first { $0.type?.hasPrefix("audio/") ?? false }
            ?? enclosures.first { !($0.type?.hasPrefix("video/") ?? false) && !($0.type?.hasPrefix("image/") ?? false) }
    }
}
