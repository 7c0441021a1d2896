// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
import ProgressiveDownload

/// The operations on downloads that work if the disk is full or read-only.
extension LibraryDownloads {
    /// Reconciles the library with the disk as far as the disk can be written.
    public func synchronizeIfWritable() throws {
        do {
            try synchronizeTrash()
        } catch is MediaFailure {
            // The survey below still shows the location of each file.
        }
        try survey()
    }

    /// Erases the files of these downloads permanently, then removes the downloads from the library: a full disk has
    /// no space for the trash, and the library cannot be written before the files are gone.
    /// - Returns: the number of bytes freed.
    public func erase(_ episodes: [Int64]) throws -> Int64 {
        let downloads = try episodes.compactMap { try library.download(of: $0) }
        // Two episodes can have one file.
        let needed = Set(try library.downloads().filter { !episodes.contains($0.episode) }.map(\.keptAs))
        var freed: Int64 = 0
        for download in downloads where !needed.contains(download.keptAs) {
            for place in [location(download), location(download).inTrash] {
                freed += place.occupiedBytes
                try place.erase()
            }
        }
        do throws(LibraryError) {
            try library.removeDownloads(episodes)
            for download in downloads { try library.forgetDownload(download.episode) }
        } catch {
            throw LibraryError(
                error.kind, "the files were deleted, but the library still lists the downloads: \(error.reason)")
        }
        return freed
    }
}
