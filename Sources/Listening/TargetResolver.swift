// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
public import HTTPTransfer
public import Media
import Podcasts

/// Finds out what a listener means by a target: the URL or path of a feed or of an audio file, or a name in the
/// library.
public struct TargetResolver: Sendable {
    private let fetcher: FeedFetcher
    private let library: LibraryTargets?

    /// - Parameter library: `nil` where there is none: then nothing has a name.
    public init(transport: any HTTPTransport, library: LibraryTargets? = nil) {
        fetcher = FeedFetcher(transport: transport)
        self.library = library
    }

    /// A target as it may be shown: an address without its secrets, a path as it is.
    public static func shown(_ target: String) -> String {
        target.contains("://") ? RedactedURL(target).description : PublicAddress.typed(target)
    }

    /// Whether it is neither an address nor a file: the library alone can know it.
    public static func isName(_ target: String) -> Bool {
        do throws(MediaFailure) { _ = try TargetKind(target) } catch { return error.kind == .missing }
        return false
    }

    /// - Returns: what to play, in order; at least one.
    /// - Throws: what is wrong with the target, for a sentence that begins with it.
    public func resolve(_ target: String, _ choice: EpisodeChoice) async throws(MediaFailure) -> [Playable] {
        let kind: TargetKind
        do throws(MediaFailure) {
            kind = try TargetKind(target)
        } catch where error.kind == .missing && library != nil {
            return try await playables(named: target, choice)
        }
        switch kind {
        case .audioFile(let path): return [playable(.file(path: path))]
        case .audioURL(let url): return [playable(.remote(url: url))]
        case .feedFile(let path):
            // A feed on this machine may name files on it; one from elsewhere may not.
            return try playables(of: FeedFile.parse(path, baseURL: FileURL.url(ofPath: path)), choice) { enclosure in
                FileURL.path(ofURL: enclosure.url).map { .file(path: $0) }
                    ?? .remote(RemoteEnclosure(url: enclosure.url, claimedLength: enclosure.length))
            }.map(\.playable)
        case .url(let url):
            switch try await fetcher.fetch(url) {
            case .audio: return [playable(.remote(url: url))]
            case .feed(let feed, let source):
                return await placed(in: url, try playables(of: feed, choice) { enclosure in
                    .remote(
                        RemoteEnclosure(
                            url: enclosure.url, feed: url, reach: AddressReach.any.named(by: source),
                            claimedLength: enclosure.length))
                })
            }
        }
    }

    private func playables(named name: String, _ choice: EpisodeChoice) async throws(MediaFailure) -> [Playable] {
        let library = library
        do throws(LibraryError) {
            return try await DiskWork.run { () throws(LibraryError) in
                try library?.playables(named: name, choice) ?? []
            }
        } catch where error.kind == .missing {
            throw MediaFailure(.missing, "no such file, and nothing in the library is called that")
        } catch {
            throw MediaFailure(error)
        }
    }

    /// Those that are in the library, too, begin where the listener was, and their positions are kept.
    private func placed(
        in feed: String, _ playables: [(guid: String, playable: Playable)]
    ) async -> [Playable] {
        guard let library else { return playables.map(\.playable) }
        return await DiskWork.run { () throws(Never) in
            playables.map { guid, playable in
                // Playing what was named goes before knowing it again.
                do throws(LibraryError) {
                    return playable.at(try library.place(of: guid, inFeed: feed))
                } catch {
                    return playable
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
    ) throws(MediaFailure) -> [(guid: String, playable: Playable)] {
        let episodes = feed.episodes.filter { $0.audio != nil }
        let candidates = episodes.map {
            EpisodeChoice.Candidate(guid: $0.guid, title: $0.title ?? "", published: $0.published?.secondsSince1970)
        }
        return try choice.select(from: candidates).compactMap { index in
            let episode = episodes[index]
            guard let enclosure = episode.audio else { return nil }
            let origin = origin(enclosure)
            let playable = Playable(
                title: episode.title ?? "untitled", podcast: feed.title, location: origin.shown,
                claimedDuration: episode.duration, origin: origin)
            return (episode.id.rawValue, playable)
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
