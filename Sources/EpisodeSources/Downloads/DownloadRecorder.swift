// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media

/// A recorder that stores the download progress of the library's episodes in the library.
public struct DownloadRecorder: Sendable {
    private let downloads: LibraryDownloads

    public init(_ downloads: LibraryDownloads) {
        self.downloads = downloads
    }

    /// Records that the episode is wanted for `reason`. A download in the trash is restored.
    func begin(_ resolved: ResolvedEpisode, by reason: Download.Reason = .listener) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        try downloads.begin(episode, by: reason)
    }

    /// Records the stored bytes of an episode after playback has ended.
    func end(_ resolved: ResolvedEpisode) throws {
        if let episode = resolved.libraryEntry?.episode { try downloads.end(episode) }
    }

    /// Records that the server confirmed the file to be the feed's current issue.
    func noteFetched(_ resolved: ResolvedEpisode) throws {
        if let episode = resolved.libraryEntry?.episode { try downloads.library.noteFetched(episode) }
    }

    /// Records the stored bytes of the episode.
    func recordStored(_ resolved: ResolvedEpisode) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        try downloads.survey(episode)
    }

    /// Records progress. While the download runs, a locked library is waited for at most 1 second; the next update or
    /// a survey makes up for a missed one.
    func note(_ downloadProgress: DownloadProgress, of resolved: ResolvedEpisode) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        try downloads.library.note(downloadProgress, of: episode, waiting: downloadProgress.isOver ? nil : 1)
    }
}
