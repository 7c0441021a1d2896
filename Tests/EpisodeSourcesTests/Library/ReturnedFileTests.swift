// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Media
import ProgressiveDownload
import Testing

@Suite("A partial file that is removed and comes back")
struct ReturnedFileTests {
    private let stage: LibraryStage
    private let downloads: LibraryDownloads
    private var library: Library { stage.library }

    /// Creates an episode with 2 of 3 bytes stored.
    init() throws {
        stage = try LibraryStage()
        let directory = KeepDirectory(path: stage.directory.path("kept"))
        try directory.create()
        downloads = LibraryDownloads(stage.library, in: directory)
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        try stage.library.requestDownload(1, by: .listener)
        let name = downloads.location(try #require(try stage.library.download(of: 1))).name
        try stage.directory.write([1, 2], to: "kept/\(name).partial")
    }

    private func fail(_ reason: String) throws {
        try library.noteDownload(1, .failed, total: 3, extents: [0..<2], failure: reason)
    }

    @Test("Undo of a removal shows the stored bytes, although the process that downloaded them failed for lack of them")
    func undone() throws {
        try downloads.remove([1])
        try fail(SystemError.removed.whileTransferring.reason)

        _ = try downloads.undo()

        let download = try library.download(of: 1)
        #expect(download?.state == .partial && download?.failure == nil && download?.storedBytes == 2)
    }

    @Test("The file of a removal that the library cannot record stays in its place")
    func unrecorded() throws {
        let copy = LibraryDownloads(
            try stage.blockedCopy(), in: KeepDirectory(path: stage.directory.path("kept")))
        let place = downloads.location(try #require(try library.download(of: 1)))

        #expect(throws: LibraryError.self) { try copy.remove([1]) }

        #expect(place.presence == .partial && place.inTrash.presence == .absent)
    }

    @Test(
        "A survey replaces only the failure of a missing file",
        arguments: [
            ("its file is missing", .partial), ("another program removed the file", .partial),
            ("the server answered 404 Not Found", .failed),
        ] as [(String, Download.State)])
    func survey(reason: String, state: Download.State) throws {
        try fail(reason)
        try downloads.survey()
        #expect(try library.download(of: 1)?.state == state)
    }
}
