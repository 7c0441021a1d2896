// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import ProgressiveDownload

/// The maintenance of an episode's row from the first stored byte of its file.
extension LibraryDownloads {
    /// Records that the listener named or plays the episode. A download in the trash is restored.
    public func begin(_ episode: Int64, by reason: Download.Reason) throws {
        let isInTrash = try library.download(of: episode)?.removedAt != nil
        try library.requestDownload(episode, by: reason)
        if isInTrash { try synchronizeTrash() }
        guard let download = try library.download(of: episode) else { return }
        let place = location(download)
        if place.presence == .absent { try library.noteFolder(episode, folders.folder(of: place)) }
        try noteFolder(of: place, download)
        if place.presence == .absent { try library.noteFetched(episode) }
    }

    /// Records the stored bytes of a played episode, also if another process held the library locked when it began.
    func surveyPlayed(_ episode: Int64) throws {
        if try library.download(of: episode) == nil { try begin(episode, by: .playing) }
        try survey(episode)
    }

    /// Records the folder only if it changed: a full disk must not hide the files on it.
    func noteFolder(of place: DownloadLocation, _ download: Download) throws {
        guard place.presence != .absent, case let folder = folders.folder(of: place), folder != download.folder
        else { return }
        try library.noteFolder(download.episode, folder)
    }

    /// Records that playback has ended. If no byte was stored, the library forgets the attempt.
    func end(_ episode: Int64) throws {
        try surveyPlayed(episode)
        guard let download = try library.download(of: episode) else { return }
        let place = location(download)
        switch place.presence {
        case .absent: try library.forgetPlayed(episode)
        case .complete: if place.replacement.presence == .absent { try library.noteFetched(episode) }
        case .partial: break
        }
    }
}
