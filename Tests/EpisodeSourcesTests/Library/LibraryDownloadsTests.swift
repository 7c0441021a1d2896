// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Feeds
import Glibc
import Media
import ProgressiveDownload
import Testing

@Suite("LibraryDownloads")
struct LibraryDownloadsTests {
    private let stage: LibraryStage
    private let directory: KeepDirectory
    private let downloads: LibraryDownloads
    private var library: Library { stage.library }

    /// Creates three episodes; the second and the third have the same address.
    init() throws {
        stage = try LibraryStage()
        directory = KeepDirectory(path: stage.directory.path("kept"))
        try directory.create()
        downloads = LibraryDownloads(stage.library, in: directory)
        let shared = "https://host.example/shared.mp3"
        try stage.merge(
            [.numbered(3, url: shared), .numbered(2, url: shared), .numbered(1)], into: try stage.subscribe())
    }

    private func location(_ episode: Int64) throws -> DownloadLocation {
        directory.location(forEnclosure: try #require(try library.download(of: episode)).keptAs)
    }

    /// Stores files and records as after a download.
    private func keep(_ episodes: Int64...) throws {
        for episode in episodes {
            try library.requestDownload(episode, by: .listener)
            let name = try #require(try location(episode).path.split(separator: "/").last)
            try stage.directory.write([1, 2, 3], to: "kept/\(name)")
            try library.noteDownload(episode, .complete, total: 3, extents: [0..<3])
        }
    }

    private func presence(_ episode: Int64) throws -> [DownloadLocation.Presence] {
        [try location(episode).presence, try location(episode).inTrash.presence]
    }

    @Test("A removed download goes to the trash, and undo restores it")
    func thereAndBack() throws {
        try keep(1)
        #expect(try downloads.remove([1]) > 0)
        #expect(try presence(1) == [.absent, .complete])
        #expect(try downloads.remove([1]) == 0)
        _ = try library.undo()
        try downloads.synchronizeTrash()
        #expect(try presence(1) == [.complete, .absent])
        #expect(try library.downloads().map(\.state) == [.complete])
    }

    @Test("A download whose file cannot be moved to the trash is not removed")
    func immovable() throws {
        try keep(1)
        try stage.directory.write([0], to: "kept/trash")
        #expect(throws: MediaFailure.self) { try downloads.remove([1]) }
        #expect(try library.downloads().map(\.state) == [.complete])
    }

    @Test("Emptying the trash deletes old files once, and the removals stay in effect")
    func emptied() throws {
        try keep(1)
        _ = try downloads.remove([1])
        #expect(try downloads.emptyTrash() == 0)
        try stage.passDays(Library.trashAge)
        #expect(try downloads.emptyTrash() > 0)
        #expect(try presence(1) == [.absent, .absent])
        #expect(try downloads.emptyTrash(olderThan: nil) == 0)
        #expect(try library.downloads().isEmpty && library.download(of: 1)?.removedAt != nil)
    }

    @Test("Undo after emptying the trash requests the download again and reports the lost file")
    func lost() throws {
        try keep(1, 2)
        _ = try downloads.remove([1])
        try downloads.emptyTrash(olderThan: nil)
        _ = try downloads.remove([2])
        #expect(try downloads.undo().lostFiles == [])
        #expect(try downloads.undo().lostFiles == ["Episode 1"])
        #expect(try library.downloads().map(\.state) == [.wanted, .complete])
    }

    @Test("Removing and restoring a download without stored bytes reports no lost file")
    func nothingArrived() throws {
        try library.requestDownload(1, by: .listener)
        try downloads.remove([1])
        #expect(try downloads.undo().lostFiles == [])
        #expect(try library.downloads().map(\.state) == [.wanted])
    }

    @Test("A file deleted by hand from the trash is reported on undo")
    func deletedByHand() throws {
        try keep(1)
        try downloads.remove([1])
        unlink(try location(1).inTrash.path)
        #expect(try downloads.undo().lostFiles == ["Episode 1"])
        #expect(try library.download(of: 1)?.failure == "its file is missing")
    }

    @Test("A complete file is restored over a partial one, and can be removed again")
    func partialInPlace() throws {
        try keep(1)
        try downloads.remove([1])
        // `play` of the bare address leaves such a file.
        let name = try #require(try location(1).path.split(separator: "/").last)
        try stage.directory.write([1], to: "kept/\(name).partial")
        _ = try downloads.undo()
        #expect(try presence(1) == [.complete, .absent])
        #expect(stage.directory.read("kept/\(name)") == [1, 2, 3])
        try downloads.remove([1])
        try stage.passDays(Library.trashAge)
        try downloads.emptyTrash()
        #expect(stage.directory.names(in: "kept/trash").isEmpty)
        #expect(stage.directory.names(in: "kept") == ["trash"])
    }

    @Test("The trash is emptied from the oldest file on, only as far as necessary")
    func oldestFirst() throws {
        try keep(1)
        try downloads.remove([1])
        stage.pass(.seconds(60))
        try keep(2)
        try downloads.remove([2])
        #expect(try downloads.trash().count == 2)
        #expect(try downloads.emptyTrash(freeing: 0) == 0)
        #expect(try downloads.emptyTrash(freeing: 1) > 0)
        #expect(try presence(1) == [.absent, .absent] && presence(2) == [.absent, .complete])
        #expect(try downloads.trash().count == 1)
        try downloads.emptyTrash(freeing: .max)
        #expect(try downloads.trash() == (0, 0))
    }

    @Test("The trash is kept if a file would not fit even without it")
    func tooLong() throws {
        try keep(1)
        try downloads.remove([1])
        #expect(try downloads.freeSpace(for: .max) == 0)
        #expect(try presence(1) == [.absent, .complete])
    }

    @Test("The files of a podcast move to the trash and back with it", arguments: ["undo", "subscribe"])
    func unsubscribed(how: String) throws {
        try keep(1)
        try library.unsubscribe(1)
        try downloads.synchronizeTrash()
        #expect(try presence(1) == [.absent, .complete])
        if how == "undo" { _ = try downloads.undo() } else { _ = try stage.subscribe() }
        try downloads.synchronizeTrash()
        #expect(try presence(1) == [.complete, .absent])
        #expect(try library.downloads().map(\.state) == [.complete])
    }

    @Test("A podcast unsubscribed a month ago leaves no files", arguments: [false, true])
    func forgotten(isInPlace: Bool) throws {
        try keep(1, 2)
        try library.unsubscribe(1)
        try downloads.synchronizeTrash()
        // Older versions left the downloads of an unsubscribed podcast in their folder.
        if isInPlace { try location(1).inTrash.move(to: location(1)) }
        try stage.passDays(Library.trashAge)
        try downloads.forgetOld()
        stage.pass(.seconds(1))
        try downloads.forgetOld()
        #expect(stage.directory.names(in: "kept") == ["trash"])
        #expect(stage.directory.names(in: "kept/trash").isEmpty)
        #expect(throws: LibraryError.self) { try library.podcast(1) }
    }

    @Test("An episode that left its feed long ago keeps its row while its file is in the trash")
    func departed() throws {
        try keep(1)
        try stage.merge([.numbered(3), .numbered(2)], into: 1)
        try stage.passDays(.seconds(40 * 86_400))
        try downloads.remove([1])
        try downloads.forgetOld()
        #expect(try downloads.undo().lostFiles == [])
        #expect(try presence(1) == [.complete, .absent])
        try downloads.remove([1])
        try stage.passDays(.seconds(31 * 86_400))
        try downloads.forgetOld()
        #expect(throws: LibraryError.self) { try library.episode(1) }
        #expect(stage.directory.names(in: "kept/trash").isEmpty)
    }

    @Test("Episodes with the same address have separate files")
    func shared() throws {
        try keep(2, 3)
        #expect(try location(2) != location(3))
        #expect(try downloads.remove([2]) > 0)
        #expect(try presence(2) == [.absent, .complete])
        #expect(try presence(3) == [.complete, .absent])
    }

    @Test("The folder of each file is remembered")
    func folder() throws {
        let other = KeepDirectory(path: stage.directory.path("other"))
        let elsewhere = LibraryDownloads(library, in: KeepFolders(standard: directory, chosen: other))
        try library.requestDownload(1, by: .listener)
        try other.create()
        let name = try location(1).name
        try stage.directory.write([1, 2, 3], to: "other/\(name)")
        try elsewhere.survey()
        for downloads in [downloads, elsewhere, downloads] {
            try downloads.survey()
            #expect(try library.downloads().map(\.state) == [.complete])
        }
        #expect(try downloads.remove([1]) > 0)
        let kept = try #require(try library.download(of: 1)).keptAs
        #expect(other.location(forEnclosure: kept).inTrash.presence == .complete)
        _ = try downloads.undo()
        #expect(try downloads.location(#require(try library.download(of: 1))).presence == .complete)
    }

    @Test("A download that was fetched again leaves no file in the trash")
    func again() throws {
        try keep(1)
        _ = try downloads.remove([1])
        try keep(1)
        try downloads.synchronizeTrash()
        #expect(try presence(1) == [.complete, .absent])
    }

    @Test("A survey records new and missing files")
    func survey() throws {
        try keep(1, 2)
        try library.noteDownload(1, .partial, total: 3, extents: [0..<1])
        unlink(try location(2).path)
        try downloads.survey()
        #expect(try library.download(of: 1)?.state == .complete)
        #expect(try library.download(of: 2)?.failure == "its file is missing")
        #expect(try downloads.pending().map { $0.libraryEntry?.episode } == [2])
    }

    @Test("A survey finds a download that was recorded as complete before its file had the final name")
    func unfinished() throws {
        try keep(1)
        let place = try location(1)
        unlink(place.path)
        try stage.directory.write([1, 2, 3], to: "kept/\(place.name).partial")
        try downloads.survey()
        #expect(try library.download(of: 1)?.state == .partial)
        #expect(try library.download(of: 1)?.extents == [])
        #expect(try downloads.pending().map { $0.libraryEntry?.episode } == [1])
    }

    @Test("Requested downloads that are not stored are pending, the oldest first, unless their audio was removed")
    func pending() throws {
        for episode: Int64 in [3, 1, 2] {
            try library.requestDownload(episode, by: .listener)
            stage.pass(.seconds(1))
        }
        #expect(try downloads.pending().map { $0.libraryEntry?.episode } == [3, 1, 2])
        #expect(try downloads.pending([2, 3]).map { $0.libraryEntry?.episode } == [3, 2])
        var silent = ParsedEpisode.numbered(1)
        silent.enclosures = []
        try stage.merge([silent], into: 1, isComplete: false)
        #expect(try downloads.pending().map { $0.libraryEntry?.episode } == [3, 2])
    }

    @Test("On a full disk files are erased before the library is updated")
    func erased() throws {
        try keep(1, 2, 3)
        #expect(try downloads.erase([1]) > 0)
        #expect(try presence(1) == [.absent, .absent])
        #expect(try library.downloads().map(\.episode) == [3, 2].sorted())
        // The other episode with the same address has its own file.
        #expect(try downloads.erase([3]) > 0)
        #expect(try presence(2) == [.complete, .absent])
        #expect(try downloads.undo().lostFiles == ["Episode 3"])
        #expect(try downloads.undo().lostFiles == ["Episode 1"])
    }

    @Test("The trash is emptied even if the library cannot be written")
    func emptiedUnnoted() throws {
        try keep(1)
        _ = try downloads.remove([1])
        let copy = try stage.blockedCopy()
        #expect(throws: LibraryError.self) {
            try LibraryDownloads(copy, in: directory).emptyTrash(olderThan: nil)
        }
        #expect(try presence(1) == [.absent, .absent])
    }

    @Test("Downloads are erased even if the library cannot be written, and the error reports it")
    func erasedUnnoted() throws {
        try keep(1)
        let copy = try stage.blockedCopy()
        let error = #expect(throws: LibraryError.self) { try LibraryDownloads(copy, in: directory).erase([1]) }
        #expect(error?.reason.hasPrefix("the files were deleted") ?? false)
        #expect(try presence(1) == [.absent, .absent])
    }
}
