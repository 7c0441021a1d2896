// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media
import Podcasts
public import ProgressiveDownload

/// The files of the library's episodes: what the library says and what the disk has are brought into line here. Waits
/// for the disk.
public struct LibraryDownloads: Sendable {
    let library: Library
    let folders: KeepFolders

    public init(_ library: Library, in folders: KeepFolders) {
        self.library = library
        self.folders = folders
    }

    public init(_ library: Library, in directory: KeepDirectory) {
        self.init(library, in: KeepFolders(standard: directory))
    }

    /// The same, which knows what is in the folders without looking for each file. For one pass, while nobody else
    /// moves files.
    func listed() throws -> LibraryDownloads { LibraryDownloads(library, in: try folders.listed()) }

    public func location(_ download: Download) -> DownloadLocation {
        folders.location(forEnclosure: download.keptAs, in: download.folder)
    }

    /// Bytes on disk, outside the trash.
    func occupiedBytes(of download: Download) -> Int64 { location(download).occupiedBytes }

    /// What was asked for and is not here yet, the oldest wish first.
    /// - Parameter episodes: of these; `nil` is of all.
    public func pending(_ episodes: [Int64]? = nil) throws(LibraryError) -> [Playable] {
        let targets = LibraryTargets(library)
        let chosen = episodes.map(Set.init)
        var playables: [Playable] = []
        for download in try library.downloads() where download.state != .complete {
            let episode = try library.episode(download.episode)
            // Its feed may have taken its audio away meanwhile.
            guard chosen?.contains(episode.id) ?? true, episode.hasAudio else { continue }
            playables.append(try targets.playable(episode))
        }
        return playables
    }

    /// Notes what is on disk of each, which a process that was killed could not tell.
    public func survey() throws {
        let listed = try listed()
        for download in try library.downloads() { try listed.survey(download) }
    }

    /// Notes what is on disk of one episode, unless it is in the trash.
    func survey(_ episode: Int64) throws {
        if let download = try library.download(of: episode), download.removedAt == nil { try survey(download) }
    }

    private func survey(_ download: Download) throws {
        let place = location(download).settled()
        try noteFolder(of: place, download)
        // What is here is the older issue.
        if place.replacement.presence == .partial, download.state != .complete { return }
        switch (place.presence, download.state) {
        case (.complete, .partial), (.complete, .wanted), (.complete, .failed):
            guard let length = place.length else { return }
            try library.noteFound(download.episode, .complete, total: length, extents: [0..<max(1, length)])
        case (.absent, .complete), (.absent, .partial):
            try library.noteFound(
                download.episode, .failed, total: download.total, extents: [], failure: "its file is gone")
        case (.partial, .wanted), (.partial, .partial):
            let held = try place.partialRecord()
            try library.noteFound(
                download.episode, .partial, total: held?.total ?? download.total,
                extents: held?.extents.ranges ?? download.extents)
        default: break
        }
    }
}
