// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media

/// Tells the library how the download of one of its episodes goes.
public struct DownloadRecorder: Sendable {
    private let downloads: LibraryDownloads

    public init(_ downloads: LibraryDownloads) {
        self.downloads = downloads
    }

    /// The listener has named it. What is in the trash comes back.
    func begin(_ playable: Playable, by reason: Download.WantedBy = .listener) throws {
        guard let episode = playable.place?.episode else { return }
        try downloads.begin(episode, by: reason)
    }

    /// What was played of it has come, or has not.
    func end(_ playable: Playable) throws {
        if let episode = playable.place?.episode { try downloads.end(episode) }
    }

    /// The server has confirmed that the file is that of the issue that the feed has.
    func noteFetched(_ playable: Playable) throws {
        if let episode = playable.place?.episode { try downloads.library.noteFetched(episode) }
    }

    /// Notes what of it is on disk.
    func look(_ playable: Playable) throws {
        guard let episode = playable.place?.episode else { return }
        try downloads.survey(episode)
    }

    /// What cannot be noted on the way is noted with the next piece, or found on disk.
    func note(_ arrival: Arrival, of playable: Playable) throws {
        guard let episode = playable.place?.episode else { return }
        try downloads.library.note(arrival, of: episode, waiting: arrival.isOver ? nil : 1)
    }
}
