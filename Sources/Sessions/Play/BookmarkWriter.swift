// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Subscriptions

/// Stores the bookmarks that the listener sets during playback.
struct BookmarkWriter: Sendable {
    let library: Library?

    /// Adds a bookmark.
    /// - Parameter episode: the episode; `nil` for a file or URL that the library does not have.
    /// - Returns: a sentence for the listener.
    func add(_ episode: Int64?, at position: Duration, title: String?) async throws(MediaFailure) -> String {
        guard let library, let episode else {
            throw MediaFailure(.missing, "only episodes of the library can have bookmarks")
        }
        do throws(LibraryError) {
            let number = try await DiskWork.run { () throws(LibraryError) in
                let version = try library.position(of: episode)?.version
                return try library.addBookmark(episode, at: position, version: version, title: title)
            }
            return "added bookmark \(number)"
        } catch {
            throw MediaFailure(error)
        }
    }
}
