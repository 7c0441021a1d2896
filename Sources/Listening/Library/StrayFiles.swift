// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
public import ProgressiveDownload

/// Files in the folders of episodes that belong to no episode of the library: played or downloaded by their address
/// alone, or left behind. Waits for the disk.
public struct StrayFiles: Sendable {
    public struct Stray: Sendable, Equatable {
        public let location: DownloadLocation
        /// On disk, of all its files.
        public let bytes: Int64

        public var path: String { location.path }
    }

    private let folders: KeepFolders
    private let library: Library?

    /// - Parameter library: `nil` where there is none: then every file is without an episode.
    public init(in folders: KeepFolders, besides library: Library?) {
        (self.folders, self.library) = (folders, library)
    }

    /// - Throws: also where the library cannot be read, for then nobody knows which files it needs.
    public func find() throws -> [Stray] {
        let (known, directories) = try known()
        var strays: [Stray] = []
        for directory in directories {
            for place in try directory.places() where !known.contains(place) {
                strays.append(Stray(location: place, bytes: place.occupiedBytes))
            }
        }
        return strays
    }

    /// Deletes them for good, but for those that are being downloaded.
    /// - Returns: the deleted ones.
    /// - Throws: without a library too: every file would count as one without an episode.
    public func delete(_ strays: [Stray]) throws(MediaFailure) -> [Stray] {
        guard library != nil else {
            throw MediaFailure(.missing, "no library says which files belong to episodes, so none was deleted")
        }
        var deleted: [Stray] = []
        for stray in strays where try !stray.location.isBusy() {
            try stray.location.erase()
            deleted.append(stray)
        }
        return deleted
    }

    /// Places with an episode, and the folders to look into.
    private func known() throws -> (Set<DownloadLocation>, Set<KeepDirectory>) {
        var directories = Set([folders.standard, folders.current])
        var places: Set<DownloadLocation> = []
        if let library {
            let downloads = LibraryDownloads(library, in: try folders.listed())
            for download in try library.downloads() + library.removedDownloads() {
                let place = downloads.location(download).settled()
                places.formUnion([place, place.inTrash])
                directories.insert(KeepDirectory(path: place.directory))
            }
        }
        return (places, directories.union(directories.map { KeepDirectory(path: $0.path + "/trash") }))
    }
}
