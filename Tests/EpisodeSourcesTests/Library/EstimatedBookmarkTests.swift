// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Media
import ProgressiveDownload
import Testing

@testable import EpisodeSources

@Suite("Estimated bookmarks of downloads")
struct EstimatedBookmarkTests {
    @Test("A bookmark of an earlier playback becomes exact when the file is complete, unless it is of another file")
    func corrected() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        let directory = KeepDirectory(path: stage.directory.path("kept"))
        try directory.create()
        var audio = MP3Builder()
        audio.addFrames(400, kilobits: [32, 320])
        let (offset, length) = (audio.frameOffsets[200], Int64(audio.bytes.count))
        let anchor = TimeAnchor(offset: offset, time: .seconds(9), totalLength: length)
        let other = TimeAnchor(offset: offset, time: .seconds(9), totalLength: length + 1)
        for from in [anchor, other] { try stage.library.addBookmark(1, at: .seconds(10), from: from) }
        try stage.library.requestDownload(1, by: .listener)
        let name = try #require(try stage.library.download(of: 1)).keptAs
        try stage.directory.write(audio.bytes, to: "kept/\(directory.location(forEnclosure: name).name)")
        try LibraryDownloads(stage.library, in: directory).correctBookmarks(of: 1)
        let bookmarks = try stage.library.bookmarks(of: 1)
        #expect(bookmarks.map(\.anchor) == [nil, other])
        // 200 packets of 1152 frames, and the second after the packet.
        let position = try #require(bookmarks.first?.position)
        #expect(abs((position - .milliseconds(6224)) / .milliseconds(1)) < 100)
        #expect(bookmarks.last?.position == .seconds(10))
    }
}
