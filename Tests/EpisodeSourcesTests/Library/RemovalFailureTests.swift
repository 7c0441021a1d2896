// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Glibc
import Media
import ProgressiveDownload
import Testing

@Suite("Removals that fail")
struct RemovalFailureTests {
    private let stage: LibraryStage
    private let downloads: LibraryDownloads
    private let standard: KeepDirectory
    private var library: Library { stage.library }

    /// Creates three episodes, and two folders.
    init() throws {
        stage = try LibraryStage()
        standard = KeepDirectory(path: stage.directory.path("kept"))
        let other = KeepDirectory(path: stage.directory.path("other"))
        for directory in [standard, other] { try directory.create() }
        downloads = LibraryDownloads(stage.library, in: KeepFolders(standard: standard, chosen: other))
        try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: try stage.subscribe())
    }

    private func location(_ episode: Int64) throws -> DownloadLocation {
        downloads.location(try #require(try library.download(of: episode)))
    }

    /// Stores a file and records it as after a download.
    private func keep(_ episode: Int64, in folder: String, by reason: Download.Reason = .listener) throws {
        try library.requestDownload(episode, by: reason)
        let name = try location(episode).name
        try stage.directory.write([1, 2, 3], to: "\(folder)/\(name)")
        try library.noteDownload(episode, .complete, total: 3, extents: [0..<3])
    }

    private func isInPlace(_ episode: Int64) throws -> Bool {
        let place = try location(episode)
        return place.presence == .complete && place.inTrash.presence == .absent
    }

    @Test("If one of several files cannot be moved to the trash, all downloads stay")
    func oneOfSeveral() throws {
        try keep(1, in: "kept")
        for episode: Int64 in [2, 3] { try keep(episode, in: "other") }
        // The file of an earlier removal cannot be moved either.
        try library.removeDownloads([3])
        try stage.directory.write([0], to: "other/trash")

        #expect(throws: MediaFailure.self) { try downloads.remove([1, 2]) }

        #expect(try isInPlace(1))
        #expect(try library.downloads().map(\.state) == [.complete, .complete])
        try downloads.synchronizeIfWritable()
        #expect(try library.downloads().map(\.failure) == [nil, nil])
    }

    @Test("The rules move the files that can be moved to the trash in one act, and report another one")
    func rules() throws {
        for (episode, folder) in [(1, "other"), (2, "kept"), (3, "kept")] as [(Int64, String)] {
            try keep(episode, in: folder, by: .rule)
        }
        try stage.directory.write([0], to: "other/trash")
        try library.set(.keepNewest, to: SettingValue(parsing: "1", for: .keepNewest))

        let tidying = try LibraryRules(library, downloads).removeOld()

        #expect(tidying.removals.map(\.episode) == [2] && tidying.failure != nil)
        #expect(try isInPlace(1) && isInPlace(3))
        #expect(try library.downloads().map(\.episode).sorted() == [1, 3])
        #expect(try location(2).inTrash.presence == .complete)
        let undone = try library.undo()
        #expect(undone.subject == "Episode 2 (by a rule)")
    }

    @Test("If a rule can move only some files of a download to the trash, they move back")
    func someFiles() throws {
        for episode: Int64 in [1, 2] { try keep(episode, in: "kept", by: .rule) }
        let place = try location(1)
        for suffix in [".partial", ".partial.journal", ".earlier"] {
            try stage.directory.write([1], to: "kept/\(place.name)\(suffix)")
        }
        unlink(place.path)
        // The journal moves after the earlier version.
        for folder in [place.inTrash.directory, place.inTrash.path + ".partial.journal"] { mkdir(folder, 0o755) }
        try library.set(.keepNewest, to: SettingValue(parsing: "1", for: .keepNewest))

        let tidying = try LibraryRules(library, downloads).removeOld()

        #expect(tidying.removals.isEmpty && tidying.failure != nil)
        let names = stage.directory.names(in: "kept")
        #expect(names.contains(place.name + ".earlier") && names.contains(place.name + ".partial"))
    }

    @Test("Old files leave the trash also if a kept file cannot be moved out of it, whose copy there stays")
    func stuckInTrash() throws {
        for episode: Int64 in [1, 2] { try keep(episode, in: "kept") }
        try downloads.remove([2])
        let (kept, removed) = (try location(1), try location(2))
        try kept.move(to: kept.inTrash)
        mkdir(kept.path, 0o755)
        try stage.passDays(Library.trashAge)

        let failure = try downloads.forgetOld()

        #expect(failure != nil)
        #expect(kept.inTrash.presence == .complete && removed.inTrash.presence == .absent)
    }

    @Test(
        "The error of the library is reported also if another file cannot be moved out of the trash",
        arguments: [1, 2] as [Int64])
    func unrecorded(removed: Int64) throws {
        for episode: Int64 in [1, 2] { try keep(episode, in: "kept") }
        let place = try location(3 - removed)
        try place.move(to: place.inTrash)
        mkdir(place.path, 0o755)
        let copy = LibraryDownloads(try stage.blockedCopy(), in: standard)

        #expect(throws: LibraryError.self) { try copy.remove([removed]) }

        #expect(try isInPlace(removed))
    }
}
