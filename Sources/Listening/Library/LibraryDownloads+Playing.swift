// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import ProgressiveDownload

/// The row of an episode, from the first byte of its file on.
extension LibraryDownloads {
    /// The listener has named it, or hears it. What is in the trash comes back.
    func begin(_ episode: Int64, by reason: Download.WantedBy) throws {
        let isInTrash = try library.download(of: episode)?.removedAt != nil
        try library.want(episode, by: reason)
        if isInTrash { try settleTrash() }
        guard let download = try library.download(of: episode) else { return }
        let place = location(download)
        if place.presence == .absent { try library.noteFolder(episode, folders.folder(of: place)) }
        try noteFolder(of: place, download)
        if place.presence == .absent { try library.noteFetched(episode) }
    }

    /// Nothing is written that is written already: a full disk must not hide what is on it.
    func noteFolder(of place: DownloadLocation, _ download: Download) throws {
        guard place.presence != .absent, case let folder = folders.folder(of: place), folder != download.folder
        else { return }
        try library.noteFolder(download.episode, folder)
    }

    /// It is played no more. Where nothing has come of it, nothing is kept of having tried.
    func end(_ episode: Int64) throws {
        try survey(episode)
        guard let download = try library.download(of: episode) else { return }
        let place = location(download)
        switch place.presence {
        case .absent: try library.forgetPlayed(episode)
        case .complete: if place.replacement.presence == .absent { try library.noteFetched(episode) }
        case .partial: break
        }
    }
}
