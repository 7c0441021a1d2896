// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Feeds
import Media
import ProgressiveDownload
import Testing

@Suite("Files without an episode")
struct OrphanFilesTests {
    private let stage: LibraryStage
    private let directory: KeepDirectory

    init() throws {
        stage = try LibraryStage()
        directory = KeepDirectory(path: stage.directory.path("kept"))
        try KeepDirectory(path: directory.path + "/trash").create()
        try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe())
    }

    private func orphans(besides library: Library?) -> OrphanFiles {
        OrphanFiles(in: KeepFolders(standard: directory), besides: library)
    }

    private func store(_ name: String) throws { try stage.directory.write([1], to: "kept/\(name)") }

    /// Stores the file of an episode and records it as after a download.
    private func keep(_ episode: Int64, by reason: Download.Reason = .listener) throws -> DownloadLocation {
        try stage.library.requestDownload(episode, by: reason)
        let name = try #require(try stage.library.download(of: episode)).keptAs
        let location = directory.location(forEnclosure: name)
        try store(location.name)
        try stage.library.noteDownload(episode, .complete, total: 1, extents: [0..<1])
        return location
    }

    @Test("The file of a merged episode belongs to the merge until that can no longer be undone")
    func merged() throws {
        let (duplicate, kept) = (try keep(1), try keep(2))
        try stage.library.merge(1, into: 2)
        #expect(try orphans(besides: stage.library).find() == [])
        let downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: directory))
        #expect(try downloads.undo().lostFiles == [])
        #expect(try stage.library.downloads().count == 2)
        try stage.library.merge(1, into: 2)
        try duplicate.erase()
        #expect(try downloads.undo().lostFiles == [try stage.library.episode(1).name])
        #expect(kept.presence == .complete)
    }

    @Test("The second file of a merged episode is in the trash until the merge is undone or the trash is emptied")
    func secondFile() throws {
        let (duplicate, kept) = (try keep(1), try keep(2))
        let downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: directory))
        #expect(try downloads.merge(1, into: 2) == duplicate.inTrash.occupiedBytes)
        #expect([duplicate.presence, duplicate.inTrash.presence, kept.presence] == [.absent, .complete, .complete])
        #expect(try downloads.trash().count == 1)
        #expect(try downloads.undo().lostFiles == [])
        #expect(duplicate.presence == .complete)
        #expect(try downloads.trash().count == 0)
        #expect(try downloads.merge(1, into: 2) > 0)
        #expect(try downloads.emptyTrash(olderThan: nil) > 0)
        #expect(try downloads.trash() == (0, 0))
        #expect(try stage.library.downloads().map(\.state) == [.complete])
        #expect(try downloads.undo().lostFiles == [try stage.library.episode(1).name])
    }

    @Test("If undo of a split merges two downloaded episodes, the next undo restores both files")
    func secondFileAgain() throws {
        let kept = try keep(2)
        let downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: directory))
        #expect(try downloads.merge(1, into: 2) == 0)
        #expect(try stage.library.split(2) == 2)
        let new = try stage.merge([.numbered(2), .numbered(1)], into: 1).new
        // A rule's download is no act, so the split is the next to be undone.
        let added = try keep(try #require(new.first), by: .rule)
        let undone = try downloads.undo()
        #expect(undone.undoing.act.verb == .split)
        #expect(undone.trashed > 0 && undone.trashed == added.inTrash.occupiedBytes)
        #expect([added.presence, added.inTrash.presence, kept.presence] == [.absent, .complete, .complete])
        let restored = try downloads.undo()
        #expect(restored.lostFiles == [] && restored.trashed == 0)
        #expect([added.presence, kept.presence] == [.complete, .complete])
        #expect(try stage.library.downloads().count == 2)
    }

    @Test("A second file moves to the trash also if the change that merges its episode adds another download")
    func secondFileBesideAnother() throws {
        let added = try #require(try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: 1).new.first)
        let (duplicate, kept) = (try keep(1), try keep(2))
        let downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: directory))
        let trashed = try downloads.merging {
            try stage.library.merge(1, into: 2)
            try stage.library.requestDownload(added, by: .rule)
        }.trashed
        #expect(trashed > 0 && trashed == duplicate.inTrash.occupiedBytes)
        #expect([duplicate.presence, kept.presence] == [.absent, .complete])
    }

    @Test("A file that a merge and a removal have moved to the trash counts once")
    func secondFileRemoved() throws {
        _ = (try keep(1), try keep(2))
        let downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: directory))
        #expect(try downloads.merge(1, into: 2) > 0)
        #expect(try stage.library.split(2) == 2)
        let added = try #require(try stage.merge([.numbered(2), .numbered(1)], into: 1).new.first)
        let file = try keep(added)
        let bytes = try downloads.remove([added])
        #expect(bytes > 0 && bytes == file.inTrash.occupiedBytes)
        #expect(try downloads.trash() == (1, bytes))
    }

    @Test("The second file of an episode that an import merges is in the trash until the import is undone")
    func secondFileOfImport() throws {
        try stage.library.merge(1, into: 2)
        var episode = LibraryCopy.Episode(feedURL: try stage.library.podcast(1).feedURL)
        (episode.guid, episode.enclosureURL, episode.title) = ("g2", "https://host.example/2.mp3", "Episode 2")
        episode.merged = try stage.library.mergedIdentifiers(of: 2)
        _ = try stage.library.undo()
        var copy = LibraryCopy()
        (copy.podcasts, copy.episodes) = ([.init(feedURL: episode.feedURL)], [episode])
        let (duplicate, kept) = (try keep(1), try keep(2))
        let downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: directory))
        let (restored, trashed) = try downloads.merging { try stage.library.restore(copy) }
        #expect(restored.merges == 1 && trashed > 0 && trashed == duplicate.inTrash.occupiedBytes)
        #expect([duplicate.presence, kept.presence] == [.absent, .complete])
        #expect(try downloads.undo().lostFiles == [])
        #expect([duplicate.presence, kept.presence] == [.complete, .complete])
    }

    @Test("After a month, a merge leaves no second file")
    func secondFileLater() throws {
        let (duplicate, kept) = (try keep(1), try keep(2))
        let downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: directory))
        #expect(try downloads.merge(1, into: 2) > 0)
        try stage.passDays(Library.trashAge)
        try downloads.forgetOld()
        #expect([duplicate.inTrash.presence, kept.presence] == [.absent, .complete])
    }

    @Test("After the library was restored, no file is deleted, and those in the trash belong to their episodes")
    func restored() throws {
        let trash = directory.path + "/trash"
        let removed = directory.location(forEnclosure: try stage.library.episode(1).enclosureURL ?? "").name
        try stage.directory.write([1], to: "kept/trash/\(removed)")
        let stray = directory.location(forEnclosure: "https://host.example/alone.mp3")
        try store(stray.name)
        let damaged = stage.path + ".damaged-1700000000"
        try stage.directory.write([1], to: String(damaged.split(separator: "/").last ?? ""))
        let files = orphans(besides: stage.library)
        #expect(try files.find().map(\.path) == [stray.path], "\(trash)")
        let failure = #expect(throws: MediaFailure.self) { try files.delete(try files.find()) }
        #expect(failure?.reason.contains(damaged) == true)
        #expect(stray.presence == .complete)
    }

    @Test("They are found and deleted; files of episodes, in the trash, and of other programs stay")
    func strays() throws {
        let (kept, removed) = (try keep(1), try keep(2))
        _ = try LibraryDownloads(stage.library, in: directory).remove([2])
        let stray = directory.location(forEnclosure: "https://host.example/alone.mp3")
        for name in [stray.name, stray.name + ".index", "song.mp3"] { try store(name) }
        let files = orphans(besides: stage.library)
        let found = try files.find()
        #expect(found.map(\.location) == [stray])
        let withoutLibrary = orphans(besides: nil)
        #expect(throws: MediaFailure.self) { try withoutLibrary.delete(withoutLibrary.find()) }
        #expect(stage.directory.read("kept/\(stray.name)") == [1])
        #expect(try files.delete(found) == found)
        #expect(try files.find().isEmpty)
        #expect([kept.presence, removed.presence, removed.inTrash.presence] == [.complete, .absent, .complete])
        #expect(stage.directory.read("kept/song.mp3") == [1])
    }

    @Test("The drafts of a process that was killed count and are deleted with the file")
    func drafts() throws {
        let stray = directory.location(forEnclosure: "https://host.example/alone.mp3")
        for ending in [".partial.new", ".partial.json.new", ".index.new", ".origin.new", ".earlier.json.new"] {
            try store(stray.name + ending)
        }
        let files = orphans(besides: stage.library)
        let found = try files.find()
        #expect(found.map(\.location) == [stray] && found.allSatisfy { $0.bytes > 0 })
        #expect(try files.delete(found) == found)
        #expect(stage.directory.names(in: "kept") == ["trash"])
    }

    @Test("A complete file that lost its row is recorded, as requested by the listener; parts and trash are not")
    func recorded() throws {
        try stage.merge([.numbered(4), .numbered(3), .numbered(2), .numbered(1)], into: 1)
        let names = try [1, 2, 3].map { episode in
            directory.location(forEnclosure: try #require(try stage.library.episode(episode).enclosureURL)).name
        }
        for name in [names[0], names[1] + ".partial", "trash/\(names[2])"] { try store(name) }
        _ = try keep(4)
        let downloads = LibraryDownloads(stage.library, in: directory)
        let acts = try stage.library.acts(limit: 9)
        #expect(try downloads.recordUnknownFiles() == [1])
        let download = try #require(try stage.library.download(of: 1))
        #expect(download.state == .complete && download.requestedBy == .listener && download.total == 1)
        #expect(downloads.location(download).presence == .complete)
        #expect(try stage.library.acts(limit: 9) == acts)
        #expect(try downloads.recordUnknownFiles() == [])
        #expect(try stage.library.downloads().map(\.episode).sorted() == [1, 4])
    }

    @Test("A file that lost its row still belongs to its episode, but a file in the trash does not")
    func lostRow() throws {
        let urls = try [1, 2].map { try #require(try stage.library.episode($0).enclosureURL) }
        let files = [urls[0], urls[1] + "#episode-2"].map { directory.location(forEnclosure: $0) }
        for name in files.map(\.name) + ["trash/\(files[0].name)"] { try store(name) }
        #expect(try orphans(besides: stage.library).find().map(\.location) == [files[0].inTrash])
    }
}
