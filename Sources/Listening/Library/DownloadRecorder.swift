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
    func begin(_ playable: Playable, by reason: Download.WantedBy = .listener) throws {
        guard let episode = playable.place?.episode else { return }
        try downloads.begin(episode, by: reason)
    }

    /// Records the stored bytes of an episode after playback has ended.
    func end(_ playable: Playable) throws {
        if let episode = playable.place?.episode { try downloads.end(episode) }
    }

    /// Records that the server confirmed the file to be the feed's current issue.
    func noteFetched(_ playable: Playable) throws {
        if let episode = playable.place?.episode { try downloads.library.noteFetched(episode) }
    }

    /// Records the stored bytes of the episode.
    func look(_ playable: Playable) throws {
        guard let episode = playable.place?.episode else { return }
        try downloads.survey(episode)
    }

    /// Records progress. While the download runs, a locked library is waited for at most 1 second; the next update or
    /// a survey makes up for a missed one.
    func note(_ arrival: Arrival, of playable: Playable) throws {
        guard let episode = playable.place?.episode else { return }
        try downloads.library.note(arrival, of: episode, waiting: arrival.isOver ? nil : 1)
    }
}
