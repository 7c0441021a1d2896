// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media
public import ProgressiveDownload

/// The downloads of the library, reconciled with the files on disk. Blocks on disk access.
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

    /// Returns a copy that has listed the folders once and does not look for each file. Use it for one pass, during
    /// which no other code moves files.
    func listed() throws -> LibraryDownloads { LibraryDownloads(library, in: try folders.listed()) }

    /// Returns the location of the download's file outside the trash.
    public func location(_ download: Download) -> DownloadLocation {
        folders.location(forEnclosure: download.keptAs, in: download.folder)
    }

    /// Returns the number of bytes on disk, outside the trash.
    func occupiedBytes(of download: Download) -> Int64 { location(download).occupiedBytes }

    /// Returns the downloads that are requested and not complete, the oldest request first.
    /// - Parameter episodes: the episodes to consider; `nil` considers all.
    public func pending(_ episodes: [Int64]? = nil) throws(LibraryError) -> [ResolvedEpisode] {
        let targets = LibraryTargets(library)
        let chosen = episodes.map(Set.init)
        var resolvedEpisodes: [ResolvedEpisode] = []
        for download in try library.downloads() where download.state != .complete {
            let episode = try library.episode(download.episode)
            // The feed may have removed the audio in the meantime.
            guard chosen?.contains(episode.id) ?? true, episode.hasAudio else { continue }
            resolvedEpisodes.append(try targets.resolved(episode))
        }
        return resolvedEpisodes
    }

    /// True unless the download was removed since it was requested, perhaps with its podcast.
    /// - Parameter byRule: true if a rule demands it, so that a download by another process suffices.
    func isRequested(_ resolved: ResolvedEpisode, byRule: Bool) throws -> Bool {
        guard let episode = resolved.libraryEntry?.episode else { return true }
        // Another process may have merged the episode meanwhile.
        guard let download = try library.download(of: library.current(episode)), download.removedAt == nil else {
            return false
        }
        return try !byRule || !location(download).isBusy()
    }

    /// Records the stored bytes of each download, because a killed process could not record them.
    public func survey() throws {
        let listed = try listed()
        for download in try library.downloads() { try listed.survey(download) }
    }

    /// Records the stored bytes of one episode, unless it is in the trash.
    func survey(_ episode: Int64) throws {
        if let download = try library.download(of: episode), download.removedAt == nil { try survey(download) }
    }

    /// Records the complete files whose downloads the library does not know, because it was restored after damage, or
    /// imported from an export.
    /// - Returns: the episodes of the recorded files.
    public func recordUnknownFiles() throws -> [Int64] {
        let listed = try listed()
        let known = Set(try (library.downloads() + discarded()).map(listed.location))
        let files = try Set([folders.standard, folders.current]).flatMap { try $0.locations() }
            .filter { !known.contains($0) && $0.presence == .complete }
        guard !files.isEmpty else { return [] }
        let owned = FilesByEnclosure(files)
        var found: [Library.FoundFile] = []
        try library.forEachWithoutDownload { episode, name in
            guard let place = owned[name] else { return }
            found.append(
                .init(of: episode, named: name, length: place.length ?? 0, in: folders.folder(of: place)))
        }
        if !found.isEmpty { try library.record(found) }
        return found.map(\.episode)
    }

    private static let missingFile = "its file is missing"

    /// The failures that end when the file is back, for example out of the trash.
    private static let lackOfFile: [String?] = [missingFile, SystemError.removed.whileTransferring.reason]

    private func survey(_ download: Download) throws {
        let place = location(download).finalized()
        try noteFolder(of: place, download)
        // The stored file is the older issue.
        if place.replacement.presence == .partial, download.state != .complete { return }
        switch (place.presence, download.state) {
        case (.complete, .partial), (.complete, .wanted), (.complete, .failed):
            guard let length = place.length else { return }
            try library.noteFound(download.episode, .complete, total: length, extents: [0..<max(1, length)])
        case (.absent, .complete), (.absent, .partial):
            try library.noteFound(
                download.episode, .failed, total: download.total, extents: [], failure: Self.missingFile)
        case (.partial, .failed) where !Self.lackOfFile.contains(download.failure): break
        case (.partial, _):
            let held = try place.partialRecord()
            // A complete download is recorded shortly before its file gets the final name, which may fail.
            let recorded = download.state == .complete ? [] : download.extents
            try library.noteFound(
                download.episode, .partial, total: held?.total ?? download.total,
                extents: held?.extents.ranges ?? recorded)
        default: break
        }
    }
}
