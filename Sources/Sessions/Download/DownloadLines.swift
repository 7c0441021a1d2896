// SPDX-License-Identifier: GPL-3.0-or-later
package import EpisodeLibrary
package import EpisodeSources
import ProgressiveDownload
package import TerminalInterface

/// The list of the downloads, reconciled with the disk.
package enum DownloadLines {
    package static func read(_ downloads: LibraryDownloads, in library: Library) throws -> [DownloadTable.Line] {
        try downloads.synchronizeIfWritable()
        return try library.downloads().map { download in
            let location = downloads.location(download)
            return DownloadTable.Line(
                download: download, episode: try library.episode(download.episode),
                occupied: location.occupiedBytes, path: location.path)
        }
    }
}
