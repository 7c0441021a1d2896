// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Media
import ProgressiveDownload
import Testing

@Suite("A wrong clock")
struct WrongClockTests {
    private let stage: LibraryStage
    private let directory: KeepDirectory
    private let downloads: LibraryDownloads
    private var library: Library { stage.library }

    init() throws {
        stage = try LibraryStage()
        directory = KeepDirectory(path: stage.directory.path("kept"))
        try directory.create()
        downloads = LibraryDownloads(stage.library, in: directory)
        try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe())
        for episode: Int64 in [1, 2] {
            try library.requestDownload(episode, by: .listener)
            try stage.directory.write([1, 2, 3], to: "kept/\(location(episode).name)")
            try library.noteDownload(episode, .complete, total: 3, extents: [0..<3])
        }
    }

    private func location(_ episode: Int64) throws -> DownloadLocation {
        directory.location(forEnclosure: try #require(try library.download(of: episode)).keptAs)
    }

    @Test("A clock that jumps far ahead or back deletes nothing permanently", arguments: [14 * 365, -50 * 365])
    func wrongClock(days: Int64) throws {
        let podcast = try library.episode(2).podcast
        try stage.passDays(.seconds(86_400))
        try downloads.remove([1])
        stage.pass(.seconds(days * 86_400))
        for _ in 0..<40 {
            try downloads.remove([2])
            stage.pass(.seconds(3600))
            try downloads.forgetOld()
            stage.pass(.seconds(3600))
            try downloads.forgetOld()
            #expect(try downloads.undo().lostFiles == [])
        }
        try library.unsubscribe(podcast)
        try downloads.forgetOld()
        stage.pass(.seconds(-days * 86_400))
        try downloads.forgetOld()
        for _ in 0..<2 { #expect(try downloads.undo().lostFiles == []) }
        #expect(try location(1).presence == .complete && location(2).presence == .complete)
    }
}
