// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("FrameIndexFile")
struct FrameIndexFileTests {
    private let directory = ScratchDirectory()
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }
    private var file: FrameIndexFile { FrameIndexFile(beside: location) }

    private func open() throws(MediaFailure) -> PartialFile {
        try PartialFile.open(location, url: "http://a/b.mp3").0
    }

    @Test("A written index reads back, replaces the old one as a whole, and is private to its owner")
    func writes() throws {
        #expect(try file.read() == nil)
        for bytes in [episode(300_000), episode(10), []] {
            try file.write(bytes)
            #expect(try file.read() == bytes)
        }
        #expect(directory.fileNames == ["e.mp3.index"])
        var status = stat()
        #expect(stat(location.indexPath, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("A symbolic link is followed neither for reading nor for writing")
    func links() throws {
        try directory.write([1, 2, 3], to: "victim")
        symlink(directory.path + "/victim", location.indexPath)
        #expect(try file.read() == nil)
        try file.write([4])
        #expect(try file.read() == [4])
        symlink(directory.path + "/victim", location.indexPath + ".new")
        #expect(throws: MediaFailure.self) { try file.write([5]) }
        #expect(directory.read("victim") == [1, 2, 3])
        #expect(try file.read() == [4])
    }

    @Test("A directory, a pipe or an oversized file is not read, and a pipe does not block")
    func strangers() throws {
        mkdir(location.indexPath, 0o700)
        #expect(try file.read() == nil)
        #expect(throws: MediaFailure.self) { try file.write([1]) }
        rmdir(location.indexPath)
        mkfifo(location.indexPath, 0o600)
        #expect(try file.read() == nil)
        unlink(location.indexPath)
        try directory.write([1], to: "e.mp3.index")
        truncate(location.indexPath, FrameIndexFile.longest + 1)
        #expect(try file.read() == nil)
        #expect(directory.fileNames == ["e.mp3.index"])
    }

    @Test("Without its directory an index cannot be written")
    func noDirectory() {
        let nowhere = FrameIndexFile(
            beside: DownloadLocation(directory: directory.path + "/none", name: "e.mp3"))
        let error = #expect(throws: MediaFailure.self) { try nowhere.write([1]) }
        #expect(error?.kind == .cannotCreate)
    }

    @Test("A new download removes the index")
    func beginsAnew() throws {
        try file.write([1])
        _ = try open()
        #expect(try file.read() == nil)
    }

    @Test("A resumed or finished download keeps the index")
    func goesOn() throws {
        let content = episode(100)
        do {
            let partial = try open()
            #expect(try content.withUnsafeBytes { try partial.store($0, at: 0) })
            try partial.save(StoredContent(entity: Representation(validator: .strongETag("\"1\""), total: 100)))
            try file.write([1])
        }
        let partial = try open()
        #expect(try file.read() == [1])
        try partial.finish(total: partial.extents.upperBound ?? 0)
        #expect(try file.read() == [1])
        #expect(location.presence == .complete)
    }

    @Test("The index is removed with a replaced version and with discarded bytes")
    func replaced() throws {
        let first = try open()
        try file.write([1])
        let second = try first.replacement()
        #expect(try file.read() == nil)
        try file.write([2])
        try second.discard()
        #expect(directory.fileNames == [])
    }
}
