// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import HTTPTransfer
import Media
import Playback
import Subscriptions

/// The cover that a file shows: that of an item, or that of a chapter.
struct PlayedCover: Hashable, Sendable {
    let item: PlaybackItem.ID
    /// `nil` for the cover of the item.
    var image: Chapter.Image?
}

/// The covers of the played episodes, for the desktop: the picture of the chapter, otherwise that of the feed,
/// otherwise that in the audio file.
struct PlayedCovers {
    private let parts: SessionParts
    private let send: AsyncStream<SessionEvent>.Continuation
    private let files = CoverFiles()

    init(_ parts: SessionParts, send: AsyncStream<SessionEvent>.Continuation) {
        (self.parts, self.send) = (parts, send)
    }

    /// Looks for the cover of an item that is heard, and sends its path.
    func begin(_ item: PlaybackItem, as episode: Int64?) {
        Task { [self] in
            var path = await feedCover(of: episode)
            if path == nil { path = await DiskWork.run { () throws(Never) in fileCover(of: item, episode) } }
            if let path { send.yield(.covered(PlayedCover(item: item.id), path: path)) }
        }
    }

    /// Looks for the picture of a chapter that is heard, and sends its path.
    func begin(_ image: Chapter.Image, in item: PlaybackItem, as episode: Int64?) -> Task<Void, Never> {
        Task { [self] in
            let path: String? =
                switch image {
                case .url(let address): await chapterCover(at: address, of: episode)
                case .stored(let picture):
                    await DiskWork.run { () throws(Never) in fileCover(picture, of: item, episode) }
                }
            if let path, !Task.isCancelled {
                send.yield(.covered(PlayedCover(item: item.id, image: image), path: path))
            }
        }
    }

    /// Fetches the picture of a chapter, as that of an episode is: only for an episode of the library.
    private func chapterCover(at address: String, of episode: Int64?) async -> String? {
        await cover(of: episode) { library, episode throws(LibraryError) in
            let podcast = try library.episode(episode).podcast
            return CoverFiles.Source(address: address, feed: try library.feeds([podcast]).first)
        }
    }

    private func feedCover(of episode: Int64?) async -> String? {
        await cover(of: episode) { library, episode throws(LibraryError) in
            try CoverFiles.source(of: episode, isOwn: true, in: library)
        }
    }

    /// Returns the path of a picture of an episode; `nil` after any failure, and for an item outside the library.
    private func cover(
        of episode: Int64?, _ find: @escaping @Sendable (Library, Int64) throws(LibraryError) -> CoverFiles.Source?
    ) async -> String? {
        guard let library = parts.library, let episode else { return nil }
        let source = await DiskWork.run { () throws(Never) in try? find(library, episode) }
        guard let source else { return nil }
        return await files.file(of: source, over: { parts.transport })
    }

    private func fileCover(of item: PlaybackItem, _ episode: Int64?) -> String? {
        origin(of: item, episode).flatMap(parts.sources.artwork).flatMap(files.file)
    }

    private func fileCover(_ picture: StoredPicture, of item: PlaybackItem, _ episode: Int64?) -> String? {
        origin(of: item, episode).flatMap { parts.sources.picture(picture, in: $0) }.flatMap(files.file)
    }

    private func origin(of item: PlaybackItem, _ episode: Int64?) -> ResolvedEpisode.Origin? {
        guard let episode else { return item.location.contains("://") ? nil : .file(path: item.location) }
        guard let library = parts.library else { return nil }
        return try? LibraryTargets(library).resolved(library.episode(episode)).origin
    }
}
