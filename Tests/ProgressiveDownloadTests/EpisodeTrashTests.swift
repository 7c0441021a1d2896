// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("Two partial files of one episode")
struct EpisodeTrashTests {
    private let directory = ScratchDirectory()
    private let url = "http://a/b.mp3"
    private let content = episode(50_000)
    private var place: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }

    /// Stores the first `count` bytes at the location, and returns the open file.
    @discardableResult
    private func store(_ count: Int, at location: DownloadLocation) throws -> PartialFile {
        let (file, _) = try PartialFile.open(location, url: url)
        let version = StoredContent(entity: Representation(validator: .strongETag("\"1\""), total: 50_000))
        try file.record(version)
        #expect(try content[..<count].withUnsafeBytes { try file.store($0, at: 0) })
        try file.save(version)
        return file
    }

    private func lead(of location: DownloadLocation) throws -> Int64 {
        try PartialFile.open(location, url: url).1.lead
    }

    @Test(
        "The one with more stored bytes is kept, on the way into the trash and out of it", arguments: [10_000, 30_000])
    func longerWins(trashed: Int) throws {
        for (from, to) in [(place.inTrash, place), (place, place.inTrash)] {
            try store(trashed, at: from)
            try store(20_000, at: to)
            try from.move(to: to)
            #expect(from.presence == .absent)
            #expect(try lead(of: to) == Int64(max(trashed, 20_000)))
            try to.erase()
        }
    }

    @Test("Playing a removed episode resumes the longer one", arguments: [10_000, 30_000])
    func restored(trashed: Int) throws {
        try store(trashed, at: place.inTrash)
        try store(20_000, at: place)
        #expect(place.restored() == place)
        #expect(try lead(of: place) == Int64(max(trashed, 20_000)))
    }

    @Test("Both stay while a process downloads one of them")
    func busy() throws {
        try store(30_000, at: place.inTrash)
        do {
            let file = try store(20_000, at: place)
            try place.inTrash.move(to: place)
            #expect(place.inTrash.presence == .partial && file.extents.count == 20_000)
        }
        try place.inTrash.move(to: place)
        #expect(try lead(of: place) == 30_000)
    }

    @Test("On a file system that locks only files open for writing, a download is found, and so is its end")
    func networkLocks() throws {
        var calls = DiskCalls()
        calls.lock = { descriptor, operation in
            guard fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY else { return flock(descriptor, operation) }
            errno = EBADF
            return -1
        }
        let file = try store(10_000, at: place)
        #expect(try place.isBusy(calls))
        file.release()
        #expect(try !place.isBusy(calls))
    }

    @Test("A file that cannot be opened for writing is not being downloaded", arguments: [EROFS, EACCES, EPERM])
    func unwritable(code: CInt) throws {
        var calls = DiskCalls()
        calls.open = { path, flags, mode in
            guard flags & O_ACCMODE != O_RDONLY else { return Glibc.open(path, flags, mode) }
            errno = code
            return -1
        }
        try store(10_000, at: place).release()
        #expect(try !place.isBusy(calls))
    }

    @Test("A move that was interrupted before the audio file is completed")
    func interrupted() throws {
        try store(30_000, at: place.inTrash)
        try KeepDirectory(path: place.directory).create()
        try DiskCalls().rename(place.inTrash.manifestPath, to: place.manifestPath)
        try place.inTrash.move(to: place)
        #expect(try lead(of: place) == 30_000)
    }

    @Test(
        "A move that fails names the file and its direction",
        arguments: [(true, "to the trash"), (false, "out of the trash")])
    func refusedMove(isRemoval: Bool, direction: String) throws {
        let (from, to) = isRemoval ? (place, place.inTrash) : (place.inTrash, place)
        // A directory in the place of the file.
        try KeepDirectory(path: to.path).create()
        try KeepDirectory(path: from.directory).create()
        try directory.write([1, 2, 3], to: isRemoval ? "e.mp3" : "trash/e.mp3")
        let refusal = MediaFailure(.cannotCreate, "cannot move \(from.path) \(direction): is a directory")
        #expect(throws: refusal) { try from.move(to: to) }
        #expect(from.presence == .complete)
        let undeleted = MediaFailure(.cannotCreate, "cannot delete \(to.path): is a directory")
        #expect(throws: undeleted) { try to.erase() }
    }

    @Test(
        "If the folder of the trash cannot be created, a move names the file",
        .enabled(if: access("/sys", F_OK) == 0))
    func unwritableTrash() throws {
        try directory.write([1, 2, 3], to: "e.mp3")
        let error = #expect(throws: MediaFailure.self) {
            try place.move(to: DownloadLocation(directory: "/sys/trash", name: "e.mp3"))
        }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.reason.hasPrefix("cannot move \(place.path) to the trash: ") == true)
        #expect(place.presence == .complete)
    }

    @Test("Of two with different extensions or in different folders, the longer one is used")
    func folders() throws {
        let url = "http://a/b.mp3"
        let standard = KeepDirectory(path: directory.path("standard"))
        let chosen = KeepDirectory(path: directory.path("chosen"))
        let folders = KeepFolders(standard: standard, chosen: chosen)
        let names = EpisodeFileName.names(forEnclosure: url)
        let places = [
            DownloadLocation(directory: standard.path, name: names[0]),
            DownloadLocation(directory: standard.path, name: names[1]),
            DownloadLocation(directory: chosen.path, name: names[0]),
        ]
        for (size, place) in zip([10_000, 30_000, 20_000], places) { try store(size, at: place) }
        #expect(folders.location(forEnclosure: url, in: nil) == places[1])
        #expect(try folders.listed().location(forEnclosure: url, in: chosen.path) == places[1])
        try store(40_000, at: places[2])
        #expect(folders.location(forEnclosure: url, in: nil) == places[2])
    }
}
