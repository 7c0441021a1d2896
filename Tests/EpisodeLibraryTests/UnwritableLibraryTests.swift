// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import EpisodeLibrary

@Suite("A library that cannot be written")
struct UnwritableLibraryTests {
    private let stage: LibraryStage
    private let podcast: Int64

    init() throws {
        stage = try LibraryStage()
        podcast = try stage.subscribe()
        try stage.merge([.numbered(2, title: "The storm"), .numbered(1)], into: podcast)
        try stage.library.save(PlaybackPosition(position: .seconds(95)), of: 1, .act)
    }

    @Test("All data can be read and found, even data that is only in the log")
    func reading() throws {
        #expect(!stage.directory.read("library.db-wal").isEmpty)
        let library = try stage.blockedCopy()
        #expect(library.writeError?.kind == .notWritable)
        #expect(try LibraryDump.lines(library) == LibraryDump.lines(stage.library))
        #expect(try library.position(of: 1)?.position == .seconds(95))
    }

    @Test("Writes are refused until the library can be written")
    func writing() throws {
        let library = try stage.blockedCopy()
        for _ in 0..<2 {
            #expect(#expect(throws: LibraryError.self) { try library.enqueue([1]) }?.kind == .notWritable)
            #expect(throws: LibraryError.self) {
                try library.save(PlaybackPosition(position: .seconds(100)), of: 1, .tick)
            }
        }
        #expect(try library.queue().isEmpty)
        stage.unblockCopy()
        try library.enqueue([1])
        #expect(library.writeError == nil)
        #expect(try library.queue().map(\.id) == [1])
        try library.close()
        #expect(try Library(path: library.path) { .newYear }.queue().map(\.id) == [1])
    }

    /// Opens a library while it cannot be written.
    private func unwritableLibrary(in directory: ScratchDirectory) throws -> Library {
        let path = try LibrarySample.copy("2", in: directory)
        try Library(path: path) { .newYear }.close()
        // If the file is a folder, SQLite can read but has no shared memory.
        #expect(mkdir(path + "-shm", 0o755) == 0)
        return try Library(path: path) { .newYear }
    }

    @Test("A connection opened while the library was not writable is reopened")
    func connection() throws {
        let directory = ScratchDirectory()
        let library = try unwritableLibrary(in: directory)
        let path = library.path
        #expect(#expect(throws: LibraryError.self) { try library.clearQueue() }?.kind == .notWritable)
        rmdir(path + "-shm")
        try library.clearQueue()
        #expect(try library.queue().isEmpty)
    }

    @Test("A library that cannot be reopened is read from a copy until it can be written")
    func reopening() throws {
        let directory = ScratchDirectory()
        let library = try unwritableLibrary(in: directory)
        let path = library.path
        let queue = try library.queue().map(\.id)
        #expect(rmdir(path + "-shm") == 0 && symlink("nowhere", path + "-shm") == 0)
        for _ in 0..<2 {
            #expect(#expect(throws: LibraryError.self) { try library.clearQueue() }?.kind == .notWritable)
            #expect(library.writeError?.kind == .notWritable)
            #expect(try library.queue().map(\.id) == queue)
        }
        #expect(unlink(path + "-shm") == 0)
        try library.clearQueue()
        #expect(try library.queue().isEmpty)
    }

    @Test("A library that can neither be reopened nor copied is used again when it can be opened")
    func neither() throws {
        let directory = ScratchDirectory()
        let library = try unwritableLibrary(in: directory)
        let path = library.path
        let queue = try library.queue().map(\.id)
        // The connection may have created a log.
        unlink(path + "-wal")
        #expect(rmdir(path + "-shm") == 0 && mkdir(path + "-wal", 0o755) == 0)
        for _ in 0..<2 {
            #expect(#expect(throws: LibraryError.self) { try library.clearQueue() }?.kind == .notWritable)
            #expect(#expect(throws: LibraryError.self) { try library.queue() }?.kind == .notWritable)
        }
        #expect(rmdir(path + "-wal") == 0)
        #expect(try library.queue().map(\.id) == queue)
        try library.clearQueue()
        #expect(try library.queue().isEmpty)
    }

    @Test("A file found on disk is visible although it cannot be recorded")
    func found() throws {
        try stage.library.requestDownload(1, by: .listener)
        let library = try stage.blockedCopy()
        try library.noteFound(1, .complete, total: 3, extents: [0..<3])
        #expect(try library.downloads().map(\.state) == [.complete])
        #expect(try stage.library.downloads().map(\.state) == [.wanted])
    }

    @Test("Writes by another process are visible")
    func renewed() throws {
        let library = try stage.blockedCopy()
        #expect(try library.queue().isEmpty)
        try stage.library.enqueue([2])
        try stage.copyLog()
        #expect(try library.queue().map(\.id) == [2])
    }

    @Test("An older library is migrated for reading")
    func migrated() throws {
        let directory = ScratchDirectory()
        let path = try LibrarySample.copy("1", in: directory)
        let expected = try LibraryDump.lines(Library(path: path) { .newYear })
        let second = ScratchDirectory()
        let blocked = try LibrarySample.copy("1", in: second)
        #expect(symlink("nowhere", blocked + "-shm") == 0)
        #expect(try LibraryDump.lines(Library(path: blocked) { .newYear }) == expected)
    }

    @Test("While another process holds the library, derived data is built in a copy")
    func held() throws {
        let other = try LibraryHolder(stage.path)
        #expect(try stage.library.episode(named: "storm").name == "The storm")
        while try stage.library.indexSome() > 0 {}
        #expect(try stage.library.search("storm", limit: 5).count == 1)
        try other.release()
        try stage.library.enqueue([1])
        #expect(try stage.library.queue().map(\.id) == [1])
    }

    @Test("Any amount of derived data is built in one copy")
    func manyToIndex() throws {
        try stage.merge((1...1200).map { .numbered($0 + 10, title: "Rain \($0)") }, into: podcast, isComplete: false)
        let other = try LibraryHolder(stage.path)
        #expect(try stage.library.search("rain 7", limit: 1).isEmpty)
        while try stage.library.indexSome() > 0 {}
        #expect(try stage.library.search("rain 7", limit: 1).count == 1)
        try other.release()
    }

    @Test("A library in a missing folder is not created, and the error gives the reason")
    func absent() throws {
        let directory = ScratchDirectory()
        let error = #expect(throws: LibraryError.self) {
            try Library(path: directory.path("nowhere/library.db")) { .newYear }
        }
        #expect(error?.kind == .notWritable)
    }

    @Test("Nothing is written to a file that another program has replaced or deleted", arguments: [false, true])
    func replaced(isDeleted: Bool) throws {
        let bytes = stage.directory.read("library.db")
        #expect(unlink(stage.path) == 0)
        if !isDeleted { try stage.directory.write(bytes, to: "library.db") }
        let error = #expect(throws: LibraryError.self) { try stage.library.enqueue([1]) }
        #expect(error?.kind == .inputOutput)
        #expect(error?.reason.contains("replaced or deleted") ?? false)
    }
}
