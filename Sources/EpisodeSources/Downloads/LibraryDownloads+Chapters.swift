// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
import ProgressiveDownload
import TrackReading

extension LibraryDownloads {
    /// Returns the chapters that the complete file of a download states, and its duration unless that is an estimate;
    /// `nil` without a file, and for what it does not state.
    public func chapters(
        in download: Download?
    ) throws(MediaFailure) -> (list: ChapterList?, length: Duration?) {
        guard let download, download.removedAt == nil else { return (nil, nil) }
        let location = location(download)
        guard location.presence == .complete else { return (nil, nil) }
        let file = try FileByteSource(path: location.path)
        defer { file.close() }
        let found = TrackChapters.read(file)
        return (found?.list, found?.duration.unlessEstimated)
    }
}
