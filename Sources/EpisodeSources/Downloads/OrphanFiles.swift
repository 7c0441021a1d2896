// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
public import ProgressiveDownload

/// The files in the download folders that belong to no episode of the library: played or downloaded by their address
/// only, or left over. Blocks on disk access.
public struct OrphanFiles: Sendable {
    /// A file without an episode.
    public struct OrphanFile: Sendable, Equatable {
        public let location: DownloadLocation
        /// The number of bytes on disk of all files of the download.
        public let bytes: Int64

        public var path: String { location.path }
    }

    private let folders: KeepFolders
    private let library: Library?
    /// The damaged file from which the library was restored; the library may have lost episodes of the files.
    public let damagedFile: String?

    /// - Parameter library: the library; if it is `nil`, every file counts as a stray.
    public init(in folders: KeepFolders, besides library: Library?) {
        (self.folders, self.library, damagedFile) = (folders, library, library?.damagedFiles.last)
    }

    /// Returns all stray files.
    /// - Throws: an error also if the library cannot be read, because the files that it needs are then unknown.
    public func find() throws -> [OrphanFile] {
        let (known, directories) = try known()
        let unlisted = try directories.flatMap { try $0.locations() }.filter { !known.contains($0) }
        return try withoutEpisode(unlisted).map { OrphanFile(location: $0, bytes: $0.occupiedBytes) }
    }

    /// Returns the locations that no episode may use. The rescue of a damaged library can lose the row of a download,
    /// but playback of its episode still finds the file by its name. A file in the trash needs its row.
    private func withoutEpisode(_ unlisted: [DownloadLocation]) throws -> [DownloadLocation] {
        guard let library, !unlisted.isEmpty else { return unlisted }
        var enclosures = KnownEnclosures()
        try library.forEachEnclosure { enclosures.insert($0) }
        return unlisted.filter { $0.isInTrash && damagedFile == nil || !enclosures.contains($0) }
    }

    /// Deletes the files permanently, except those that are being downloaded.
    /// - Returns: the deleted files.
    /// - Throws: `missing` without a library, because every file would count as a stray, and `unavailable` if the
    ///   library was restored after damage, because it may have lost the episodes of the files.
    public func delete(_ strays: [OrphanFile]) throws(MediaFailure) -> [OrphanFile] {
        guard library != nil else {
            throw MediaFailure(.missing, "no files were deleted: without a library, their episodes are unknown")
        }
        if let damagedFile, !strays.isEmpty {
            let reason = "the library was restored after damage, and they may belong to episodes that it lost"
            throw MediaFailure(
                .unavailable, "no files were deleted: \(reason); to delete them, first remove \(damagedFile)")
        }
        var deleted: [OrphanFile] = []
        for stray in strays where try !stray.location.isBusy() {
            try stray.location.erase()
            deleted.append(stray)
        }
        return deleted
    }

    /// Returns the locations that belong to an episode, and the folders to search.
    private func known() throws -> (Set<DownloadLocation>, Set<KeepDirectory>) {
        var directories = Set([folders.standard, folders.current])
        var places: Set<DownloadLocation> = []
        if let library {
            let downloads = LibraryDownloads(library, in: try folders.listed())
            // An undone merge needs the file of the merged episode again.
            for download in try library.downloads() + library.removedDownloads() + library.undoableDownloads() {
                let place = downloads.location(download).finalized()
                places.formUnion([place, place.inTrash])
                directories.insert(KeepDirectory(path: place.directory))
            }
        }
        return (places, directories.union(directories.map { KeepDirectory(path: $0.path + "/trash") }))
    }
}
