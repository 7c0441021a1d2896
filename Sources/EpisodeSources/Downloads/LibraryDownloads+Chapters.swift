// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
import ProgressiveDownload
import TrackReading

extension LibraryDownloads {
    /// Returns the chapters that the complete file of a download states; `nil` without a file, and if it states none.
    public func chapters(in download: Download?) throws(MediaFailure) -> ChapterList? {
        guard let download, download.removedAt == nil else { return nil }
        let location = location(download)
        guard location.presence == .complete else { return nil }
        let file = try FileByteSource(path: location.path)
        defer { file.close() }
        return TrackChapters.read(file)
    }
}
