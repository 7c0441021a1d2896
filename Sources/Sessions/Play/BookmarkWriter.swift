// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Subscriptions

/// Stores the bookmarks that the listener sets during playback. While another process holds the library locked, it
/// tries again each second, and once more after its task was cancelled.
struct BookmarkWriter: Sendable {
    /// The reason why another item has no bookmarks.
    static let onlyEpisodes = "only episodes of the library can have bookmarks"

    private let library: Library?

    init(library: Library?) { self.library = library?.whilePlaying }

    /// Adds a bookmark.
    /// - Parameters:
    ///   - episode: the episode; `nil` for a file or URL that the library does not have.
    ///   - anchor: the packet from which an estimated position counts; `nil` for an exact one.
    ///   - length: the length of the file in bytes, if it is known.
    /// - Returns: a sentence for the listener.
    func add(
        _ episode: Int64?, at position: Duration, from anchor: TimeAnchor?, in length: Int64?, title: String?
    ) async throws(MediaFailure) -> String {
        guard let library, let episode else {
            throw MediaFailure(.missing, Self.onlyEpisodes)
        }
        let number = try await retrying { () throws(LibraryError) in
            let episode = try library.current(episode)
            let known = length.map(AudioVersion.name)
            let version = if let known { known } else { try library.position(of: episode)?.version }
            return try library.addBookmark(episode, at: position, from: anchor, version: version, title: title)
        }
        return "added bookmark \(number)"
    }

    /// Makes the estimated bookmarks of an episode exact that count from a packet.
    func correct(
        _ episode: Int64?, from anchor: TimeAnchor, by correction: Duration
    ) async throws(MediaFailure) {
        guard let library, let episode else { return }
        try await retrying { () throws(LibraryError) in
            try library.correctBookmarks(of: library.current(episode), from: anchor, by: correction)
        }
    }

    /// Moves the bookmarks of an episode to the version that replaced its audio.
    func move(_ episode: Int64?, _ change: VersionChange) async throws(MediaFailure) {
        guard let library, let episode, let times = change.times, let old = change.oldLength else { return }
        try await retrying { () throws(LibraryError) in
            try library.moveBookmarks(
                of: episode, from: AudioVersion.name(length: old), to: change.newLength.map(AudioVersion.name)
            ) { times.moved($0, from: $1, newLength: change.newLength) }
        }
    }

    private func retrying<Value: Sendable>(
        _ work: @escaping @Sendable () throws(LibraryError) -> Value
    ) async throws(MediaFailure) -> Value {
        while true {
            let isLast = Task.isCancelled
            do throws(LibraryError) {
                return try await DiskWork.run(work)
            } catch {
                guard error.kind == .busy, !isLast else { throw MediaFailure(error) }
            }
            // A cancellation ends the wait early.
            do { try await Task.sleep(for: .seconds(1)) } catch {}
        }
    }
}
