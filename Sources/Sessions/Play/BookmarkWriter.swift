// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Subscriptions

/// Stores the bookmarks that the listener sets during playback.
struct BookmarkWriter: Sendable {
    let library: Library?

    /// Adds a bookmark.
    /// - Parameters:
    ///   - episode: the episode; `nil` for a file or URL that the library does not have.
    ///   - length: the length of the file in bytes, if it is known.
    /// - Returns: a sentence for the listener.
    func add(
        _ episode: Int64?, at position: Duration, in length: Int64?, title: String?
    ) async throws(MediaFailure) -> String {
        guard let library, let episode else {
            throw MediaFailure(.missing, "only episodes of the library can have bookmarks")
        }
        do throws(LibraryError) {
            let number = try await DiskWork.run { () throws(LibraryError) in
                let known = length.map(AudioVersion.name)
                let version = if let known { known } else { try library.position(of: episode)?.version }
                return try library.addBookmark(episode, at: position, version: version, title: title)
            }
            return "added bookmark \(number)"
        } catch {
            throw MediaFailure(error)
        }
    }

    /// Moves the bookmarks of an episode to the version that replaced its audio.
    func move(_ episode: Int64?, _ change: VersionChange) async throws(MediaFailure) {
        guard let library, let episode, let times = change.times, let old = change.oldLength else { return }
        do throws(LibraryError) {
            try await DiskWork.run { () throws(LibraryError) in
                try library.moveBookmarks(
                    of: episode, from: AudioVersion.name(length: old), to: change.newLength.map(AudioVersion.name)
                ) { times.time(ofOld: $0).time }
            }
        } catch {
            throw MediaFailure(error)
        }
    }
}
