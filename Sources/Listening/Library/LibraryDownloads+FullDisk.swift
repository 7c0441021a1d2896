// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
import ProgressiveDownload

/// What can still be done with downloads where the disk cannot be written.
extension LibraryDownloads {
    /// Brings the library and the disk into line, as far as the disk can be written.
    public func settleWhatCanBe() throws {
        do {
            try settleTrash()
        } catch is MediaFailure {
            // Which files lie where is shown all the same.
        }
        try survey()
    }

    /// Erases the files of these downloads for good, and only then removes the downloads: a full disk has no room for
    /// the trash, and none to note anything before the files are gone.
    /// - Returns: the bytes that are free now.
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
            throw LibraryError(error.kind, "the files are gone, but the downloads are still listed: \(error.reason)")
        }
        return freed
    }
}
