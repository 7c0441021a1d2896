// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("PartialFile")
struct PartialFileTests {
    private let directory = ScratchDirectory()
    private let url = "http://a/b.mp3"
    private let content = episode(50_000)
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }

    private func open(_ url: String? = nil, boot: UInt64 = 1) throws(MediaFailure) -> (PartialFile, StoredContent) {
        try PartialFile.open(location, url: url ?? self.url, calls: DiskCalls(boot: { boot }))
    }

    private func store(_ range: Range<Int>, of bytes: [UInt8]? = nil, in file: PartialFile) throws -> Bool {
        try (bytes ?? content)[range].withUnsafeBytes { try file.store($0, at: Int64(range.lowerBound)) }
    }

    private func version(total: Int64? = 50_000) -> StoredContent {
        StoredContent(entity: Representation(validator: .strongETag("\"1\""), total: total), finalURL: "http://c/d")
    }

    private func read(_ file: PartialFile, at offset: Int64, count: Int = 100_000) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let count = try buffer.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
        return Array(buffer[..<count])
    }

    @Test("Only stored bytes can be read, in several extents, and a read never crosses a gap")
    func extents() throws {
        let (file, stored) = try open()
        #expect(stored == StoredContent())
        #expect(try store(0..<1000, in: file))
        #expect(try store(20_000..<30_000, in: file))
        #expect(file.extents.ranges == [0..<1000, 20_000..<30_000])
        #expect(try read(file, at: 500) == Array(content[500..<1000]))
        #expect(try read(file, at: 1000) == [])
        #expect(try read(file, at: 25_000) == Array(content[25_000..<30_000]))
    }

    @Test("A saved file opens again with every extent")
    func reopen() throws {
        do {
            let (file, _) = try open()
            #expect(try store(0..<1000, in: file))
            #expect(try store(20_000..<30_000, in: file))
            try file.save(version())
        }
        let (file, stored) = try open()
        var expected = version()
        expected.extents = ByteRangeSet([0..<1000, 20_000..<30_000])
        #expect(stored == expected)
        #expect(try read(file, at: 20_000) == Array(content[20_000..<30_000]))
    }

    @Test("Stored bytes that arrive again are compared, not written")
    func compares() throws {
        let (file, _) = try open()
        #expect(try store(0..<1000, in: file))
        #expect(try store(0..<2000, in: file))
        #expect(try store(1900..<3000, of: episode(50_000, seed: 2), in: file) == false)
        #expect(file.extents.ranges == [0..<2000])
        #expect(try read(file, at: 0) == Array(content[..<2000]))
    }

    @Test("A journal that is written again names only the bytes in the file, not those in memory")
    func renewedJournal() throws {
        let (file, _) = try open()
        #expect(try store(0..<1000, in: file))
        file.overflow(because: SystemError("pwrite", code: ENOSPC))
        #expect(try store(20_000..<30_000, in: file))
        try file.renewJournal()
        let subject = PartialFile.subject(file.fileNumber, file.stamp, file.calls)
        let record = try PartialFileJournal.load(from: location.journalPath, about: subject)
        #expect(record?.extents.ranges == [0..<1000])
    }

    @Test("A second open fails until the first file is released")
    func locked() throws {
        let (first, _) = try open()
        #expect(throws: MediaFailure(.temporary, "another earshot process is downloading it")) { try open() }
        first.release()
        _ = try open()
    }

    @Test("Finishing renames the file, and an open file stays readable")
    func finish() throws {
        let (file, _) = try open()
        #expect(try store(0..<50_000, in: file))
        try file.save(version())
        #expect(directory.fileNames == ["e.mp3.partial", "e.mp3.partial.journal", "e.mp3.partial.json"])
        #expect(location.presence == .partial)
        try file.finish(total: file.extents.upperBound ?? 0)
        #expect(directory.fileNames == ["e.mp3"])
        #expect(directory.read("e.mp3") == content)
        #expect(location.presence == .complete)
        #expect(try read(file, at: 49_000) == Array(content[49_000...]))
    }

    @Test("A replacement starts empty, and the old bytes stay readable through the open file")
    func replacement() throws {
        let (old, _) = try open()
        #expect(try store(0..<1000, in: old))
        try old.save(version())
        let new = try old.replacement()
        #expect(new.extents.isEmpty)
        #expect(directory.fileNames == ["e.mp3.earlier", "e.mp3.earlier.json", "e.mp3.partial"])
        #expect(try store(0..<10, of: episode(10, seed: 7), in: new))
        #expect(try read(old, at: 0) == Array(content[..<1000]))
    }

    @Test("Another address keeps the stored bytes")
    func otherAddress() throws {
        do {
            let (file, _) = try open()
            #expect(try store(0..<1000, in: file))
            try file.save(version())
        }
        let (file, stored) = try open("https://b/other.mp3?token=2")
        #expect(stored.lead == 1000)
        #expect(try read(file, at: 0) == Array(content[..<1000]))
    }

    @Test("A manifest that lists bytes beyond the end of the file is ignored")
    func mismatches() throws {
        let hashes = String(repeating: "0", count: 16)
        let text = #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"\#(hashes)","ranges":[[0,1000]]}"#
        try directory.write(text.utf8, to: "e.mp3.partial.json")
        #expect(try open().1 == StoredContent())
        try directory.write(episode(1000), to: "e.mp3.partial")
        #expect(try open().1 == StoredContent())
    }

    @Test("Opening fails if the directory cannot be created")
    func unwritable() throws {
        try directory.write([], to: "file")
        let location = DownloadLocation(directory: directory.path + "/file/below", name: "e.mp3")
        let error = #expect(throws: MediaFailure.self) {
            try PartialFile.open(location, url: url)
        }
        #expect(error?.kind == .cannotCreate)
    }

    @Test("A directory that is a link to a missing one is neither created nor called usable")
    func missingTarget() throws {
        let folder = KeepDirectory(path: directory.path + "/episodes")
        symlink("/nowhere/episodes", folder.path)
        let reason = "\(folder.path) is a link to /nowhere/episodes, which does not exist"
        #expect(throws: MediaFailure(.cannotCreate, reason)) { try folder.create() }
        #expect(throws: MediaFailure(.cannotCreate, reason)) { try folder.check() }
        let file = try directory.write([], to: "file")
        let taken = MediaFailure(.cannotCreate, "cannot create \(file): not a directory")
        #expect(throws: taken) { try KeepDirectory(path: file).create() }
        #expect(throws: taken) { try KeepDirectory(path: file).check() }
    }

    @Test("A symbolic link in place of the file is not followed")
    func link() throws {
        try directory.write([1, 2, 3], to: "victim")
        symlink(directory.path + "/victim", location.partialPath)
        let error = #expect(throws: MediaFailure.self) { try open() }
        #expect(error?.kind == .cannotCreate)
        #expect(directory.read("victim") == [1, 2, 3])
    }

    @Test("Short writes are continued, and a full disk is reported")
    func writers() throws {
        let drip = try OpenFile(
            path: directory.path + "/drip", flags: O_RDWR | O_CREAT,
            calls: DiskCalls(write: { pwrite($0, $1, min($2, 3), $3) }))
        try content[..<100].withUnsafeBytes { try drip.write($0, at: 0) }
        #expect(directory.read("drip") == Array(content[..<100]))
        let reasons = [
            (ENOSPC, "the disk is full"), (EDQUOT, "your disk quota is used up"),
            (EFBIG, "the file has reached the largest size that its file system or \"ulimit -f\" allows"),
        ]
        for (code, reason) in reasons {
            let full = try OpenFile(
                path: directory.path + "/full", flags: O_RDWR | O_CREAT,
                calls: DiskCalls(write: { _, _, _, _ in
                    errno = code
                    return -1
                }))
            let error = #expect(throws: SystemError.self) {
                try content.withUnsafeBytes { try full.write($0, at: 0) }
            }
            #expect(error?.whileTransferring == MediaFailure(.inputOutput, reason))
        }
    }

    @Test("Files and directories are private to their owner")
    func modes() throws {
        let deep = KeepDirectory(path: directory.path + "/a/b")
        try deep.create()
        try deep.create()
        _ = try PartialFile.open(DownloadLocation(directory: deep.path, name: "e.mp3"), url: url)
        var status = stat()
        #expect(stat(deep.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(deep.path + "/e.mp3.partial", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
}
