// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
import ProgressiveDownload
import TrackReading

extension LibraryDownloads {
    /// Makes the estimated bookmarks of an episode exact if its file is complete. A player does so only with those that
    /// count from the packets that it plays. Bookmarks of a file of another length stay.
    func correctBookmarks(of episode: Int64) throws {
        let anchors = try library.bookmarks(of: episode).compactMap(\.anchor)
        guard !anchors.isEmpty, let download = try library.download(of: episode), download.removedAt == nil else {
            return
        }
        let location = location(download)
        guard location.presence == .complete else { return }
        let file = try FileByteSource(path: location.path)
        defer { file.close() }
        let matching = anchors.filter { $0.totalLength == file.total }
        // The timeline reads the whole file.
        guard !matching.isEmpty, let timeline = TrackFormat.exactTimeline(of: file) else { return }
        for anchor in matching {
            guard let time = timeline.time(atByte: anchor.offset) else { continue }
            try library.correctBookmarks(of: episode, from: anchor, by: time - anchor.time)
        }
    }
}
