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
    /// no space for the trash.
    /// - Returns: the number of bytes freed.
    public func erase(_ episodes: [Int64]) throws -> Int64 {
        let downloads = try episodes.compactMap { try library.download(of: $0) }
        // Two episodes can have one file.
        let needed = Set(try library.downloads().filter { !episodes.contains($0.episode) }.map(location))
        let places = Set(downloads.map(location)).subtracting(needed)
        return try erase(places.flatMap { [$0, $0.inTrash] }) {
            do throws(LibraryError) {
                try library.removeDownloads(episodes)
                for download in downloads { try library.forgetDownload(download.episode) }
            } catch {
                throw LibraryError(
                    error.kind, "the files were deleted, but the library still lists the downloads: \(error.reason)")
            }
        }
    }
}
