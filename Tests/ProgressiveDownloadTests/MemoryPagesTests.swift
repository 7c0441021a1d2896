// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

@Suite("MemoryPages")
struct MemoryPagesTests {
    private let content = episode(300_000)

    @Test("Bytes read back from any offset, in pieces of any size")
    func readsBack() throws {
        var pages = MemoryPages(limit: 1 << 20)
        for start in [0, 70_000, 200_000] {
            try content[start..<start + 50_000].withUnsafeBytes { try pages.write($0, at: Int64(start)) }
        }
        #expect(pages.extents.ranges == [0..<50_000, 70_000..<120_000, 200_000..<250_000])
        var bytes = [UInt8](repeating: 0, count: 1000)
        for start in [0, 49_500, 65_400, 70_001, 131_000, 200_000, 249_999] {
            let count = bytes.withUnsafeMutableBytes { pages.read(at: Int64(start), into: $0) }
            #expect(bytes[..<count].elementsEqual(content[start..<start + count]))
            #expect((count > 0) == pages.extents.contains(Int64(start)..<Int64(start) + 1))
        }
    }

    @Test("Bytes beyond the limit are not stored")
    func limit() throws {
        var pages = MemoryPages(limit: 128 << 10)
        try content[..<131_072].withUnsafeBytes { try pages.write($0, at: 0) }
        #expect(throws: SystemError("mmap", code: ENOSPC)) {
            try content[131_072..<131_073].withUnsafeBytes { try pages.write($0, at: 131_072) }
        }
        #expect(pages.extents.count == 131_072)
    }
}

/// The download of an episode that is being played.
extension DownloadHoldTests {
    private static let content = episode(300_000)

    private func player(_ calls: DiskCalls, _ directory: ScratchDirectory, reserve: Int64 = 0) -> DownloadFixture {
        DownloadFixture(
            in: directory, calls: calls, reserve: reserve, for: .playing,
            [ScriptedTransport.serve(Self.content), ScriptedTransport.serve(Self.content)])
    }

    @Test(
        "Playback continues in memory when the disk is full or becomes read-only, and the bytes on disk are kept",
        arguments: [
            (ENOSPC, "the disk is full"), (EROFS, ": read-only file system"), (EACCES, ": permission denied"),
        ] as [(CInt, String)])
    func playsWithoutRoom(code: CInt, reason: String) async {
        let fixture = player(Self.small(code), ScratchDirectory())
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && downloadProgress.unsavedReason?.hasSuffix(reason) == true)
        #expect(ByteSourceContract.violations(of: fixture.source, content: Self.content, held: 300_000) == [])
        #expect(fixture.directory.fileNames.contains("e.mp3.partial") && !fixture.directory.fileNames.contains("e.mp3"))
        fixture.source.close()
        fixture.download.disk.sync {}

        let second = DownloadFixture(in: fixture.directory, ScriptedTransport.serve(Self.content))
        #expect(await second.run().condition == .complete)
        #expect((second.transport.requests[0].range ?? 0) > 80_000)
        let isEqual = second.directory.read("e.mp3") == Self.content
        #expect(isEqual)
    }

    @Test("The reserve stays free, from the start and during the download", arguments: [799_000, 1_000_000])
    func reserveOfPlayer(free: Int64) async {
        let directory = ScratchDirectory()
        let partial = directory.path + "/e.mp3.partial"
        let calls = DiskCalls(space: { _ in
            var status = stat()
            let used = stat(partial, &status) == 0 ? Int64(status.st_size) : 0
            return DiskSpace(free: free - used, size: 10_000_000)
        })
        let fixture = player(calls, directory, reserve: 800_000)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && !downloadProgress.isKept)
        #expect(ByteSourceContract.violations(of: fixture.source, content: Self.content, held: 300_000) == [])
        #expect(directory.read("e.mp3.partial").count <= max(0, free - 800_000))
    }

    @Test("A download that fills the memory is held; when there is space, its bytes move to the file, and it resumes")
    func leavesMemory() async {
        let free = Atomic<Int64>(0)
        let calls = DiskCalls(space: { _ in DiskSpace(free: free.load(ordering: .relaxed), size: 10_000_000) })
        let waiting: ScriptedTransport.Answer = { [.hold] + ScriptedTransport.serve(Self.content)($0) }
        let fixture = DownloadFixture(
            clock: ManualClock(), calls: calls, for: .playing, [waiting, ScriptedTransport.serve(Self.content)])
        fixture.start()
        fixture.download.core.withLock { $0.file }?.memory.withLock { $0 = MemoryPages(limit: 64 << 10) }
        await fixture.resumeResponse()
        let reason = "the memory for bytes that do not fit on the disk is full: \(fixture.directory.path)"
        let held = await fixture.reach { $0.condition == .held(reason: reason) }
        #expect(held.extents.count == 65_536 && !held.isKept)
        await fixture.clock.waitForSleeper()
        fixture.clock.advance(by: .seconds(2))
        await fixture.clock.waitForSleeper()
        #expect(fixture.transport.requests.count == 1)
        free.store(1_000_000, ordering: .relaxed)
        fixture.clock.advance(by: .seconds(2))
        let downloadProgress = await fixture.finish()
        fixture.download.cancel()
        #expect(downloadProgress.condition == .complete && downloadProgress.isKept)
        #expect(fixture.transport.requests.count == 2 && fixture.directory.fileNames == ["e.mp3"])
        let isEqual = fixture.directory.read("e.mp3") == Self.content
        #expect(isEqual)
    }

    /// The calls of a disk that refuses the bytes of a file after the first 100,000.
    private static func small(_ code: CInt) -> DiskCalls {
        DiskCalls(write: { descriptor, bytes, count, offset in
            guard offset < 100_000 else {
                errno = code
                return -1
            }
            return pwrite(descriptor, bytes, min(count, 100_000 - offset), offset)
        })
    }

    /// The calls of a file system on which nothing can be created, written or removed.
    private static func unwritable(_ code: CInt) -> DiskCalls {
        let refuse: @Sendable () -> CInt = {
            errno = code
            return -1
        }
        return DiskCalls(
            open: { path, flags, mode in
                flags & O_ACCMODE == O_RDONLY ? Glibc.open(path, flags, mode) : refuse()
            },
            rename: { _, _ in refuse() }, unlink: { _ in refuse() })
    }

    @Test(
        "In a folder that cannot be written, playback stores all bytes in memory and creates no file",
        arguments: [
            (EROFS, "read-only file system"), (EACCES, "permission denied"), (EPERM, "operation not permitted"),
        ] as [(CInt, String)])
    func unwritableFolder(code: CInt, phrase: String) async {
        let fixture = player(Self.unwritable(code), ScratchDirectory())
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete)
        #expect(downloadProgress.unsavedReason == "cannot write to \(fixture.directory.path): \(phrase)")
        #expect(ByteSourceContract.violations(of: fixture.source, content: Self.content, held: 300_000) == [])
        #expect(fixture.directory.fileNames.isEmpty && fixture.transport.requests.count == 1)
    }

    @Test("In a folder that cannot be written, a download fails before any request")
    func unwritableForKeeping() async {
        let fixture = DownloadFixture(calls: Self.unwritable(EROFS), ScriptedTransport.serve(Self.content))
        let downloadProgress = await fixture.run()
        let reason = "cannot create \(fixture.directory.path)/e.mp3.partial: read-only file system"
        #expect(downloadProgress.condition == .failed(MediaFailure(.cannotCreate, reason)))
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test("A stored part that can only be read is played, and the other bytes are stored in memory")
    func readOnlyPart() async {
        let directory = ScratchDirectory()
        _ = await DownloadFixture(in: directory, ScriptedTransport.serve(Self.content, cut: 200_000)).run()
        let before = directory.fileNames.map { directory.read($0) }
        let fixture = player(Self.unwritable(EROFS), directory)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && !downloadProgress.isKept)
        #expect((fixture.transport.requests[0].range ?? 0) > 150_000)
        #expect(ByteSourceContract.violations(of: fixture.source, content: Self.content, held: 300_000) == [])
        let isUnchanged = directory.fileNames.map { directory.read($0) } == before
        #expect(isUnchanged && directory.fileNames.contains("e.mp3.partial"))
    }

    @Test("In a folder whose files cannot be opened, playback begins with nothing stored", arguments: [EACCES, EPERM])
    func forbiddenFolder(code: CInt) async {
        let directory = ScratchDirectory()
        let (cut, other) = (ScriptedTransport.serve(Self.content, cut: 200_000), episode(300_000, seed: 2))
        let newer = ScriptedTransport.serve(other, etag: "\"2\"", cut: 50_000)
        _ = await DownloadFixture(in: directory, cut, newer).run()
        #expect(directory.fileNames.contains("e.mp3.earlier"))
        var calls = Self.unwritable(code)
        calls.open = { path, flags, mode in
            if path == "/dev/null" { return Glibc.open(path, flags, mode) }
            errno = code
            return -1
        }
        let fixture = player(calls, directory)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && fixture.transport.requests.map(\.range) == [nil])
        #expect(ByteSourceContract.violations(of: fixture.source, content: Self.content, held: 300_000) == [])
    }

    @Test("A full memory in a folder that cannot be written is a failure with that reason: no freed space helps")
    func fullMemory() async {
        let waiting: ScriptedTransport.Answer = { [.hold] + ScriptedTransport.serve(Self.content)($0) }
        let fixture = DownloadFixture(calls: Self.unwritable(EROFS), for: .playing, [waiting])
        fixture.start()
        let pages = MemoryPages(because: SystemError("open", code: EROFS), limit: 64 << 10)
        fixture.download.core.withLock { $0.file }?.memory.withLock { $0 = pages }
        await fixture.resumeResponse()
        let failed = await fixture.finish()
        let folder = "cannot write to \(fixture.directory.path): read-only file system"
        let reason = "the memory for bytes that cannot be stored on the disk is full: \(folder)"
        #expect(failed.condition == .failed(MediaFailure(.inputOutput, reason)) && failed.extents.count == 65_536)
        #expect(ByteSourceContract.readAll(fixture.source, bufferSize: 4096).count == 65_536)
    }

    @Test("Playback leaves the journal of a part that can only be read")
    func journalOfReadOnlyPart() async throws {
        let directory = ScratchDirectory()
        _ = await DownloadFixture(in: directory, ScriptedTransport.serve(Self.content, cut: 200_000)).run()
        try directory.write([1], to: "e.mp3.partial.journal")
        let names = directory.fileNames
        var calls = Self.unwritable(EACCES)
        calls.unlink = DiskCalls().unlink
        let halting: ScriptedTransport.Answer = { _ in [.hold] }
        let fixture = DownloadFixture(in: directory, calls: calls, for: .playing, [halting])
        fixture.start()
        #expect(fixture.source.downloadProgress.extents.count == 200_000)
        fixture.download.cancel()
        #expect(directory.fileNames == names && names.contains("e.mp3.partial.journal"))
    }

    @Test("A newer version of a part that can only be read is stored in memory")
    func readOnlyPartOfOtherVersion() async {
        let directory = ScratchDirectory()
        let old = ScriptedTransport.serve(episode(300_000, seed: 2), etag: "\"2\"", cut: 200_000)
        _ = await DownloadFixture(in: directory, old).run()
        let names = directory.fileNames
        let fixture = player(Self.unwritable(EROFS), directory)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && !downloadProgress.isKept)
        #expect(ByteSourceContract.violations(of: fixture.source, content: Self.content, held: 300_000) == [])
        #expect(directory.fileNames == names && names.contains("e.mp3.partial"))
    }

    @Test("A retry keeps the bytes in memory", arguments: [true, false])
    func retryInMemory(isFull: Bool) async {
        let isBack = Atomic<Bool>(false)
        let answer: ScriptedTransport.Answer = { request in
            if isBack.load(ordering: .relaxed) { return ScriptedTransport.serve(Self.content)(request) }
            guard request.range == nil else { return ScriptedTransport.status(404)(request) }
            return ScriptedTransport.serve(Self.content, cut: 200_000)(request)
        }
        let fixture = DownloadFixture(
            calls: isFull ? Self.small(ENOSPC) : Self.unwritable(EROFS), for: .playing,
            Array(repeating: answer, count: 100))
        fixture.start()
        let failed = await fixture.finish()
        #expect(failed.extents.count == 200_000 && failed.condition != .complete)
        isBack.store(true, ordering: .relaxed)
        fixture.retry()
        let downloadProgress = await fixture.finish()
        #expect(downloadProgress.condition == .complete)
        #expect((fixture.transport.requests.last?.range ?? 0) > 150_000)
        #expect(ByteSourceContract.violations(of: fixture.source, content: Self.content, held: 300_000) == [])
    }

    @Test(
        "A complete file that cannot get its name is played and not kept; the next run names it without a request",
        arguments: [(EROFS, "read-only file system"), (EACCES, "permission denied")] as [(CInt, String)])
    func unnamedFile(code: CInt, reason: String) async {
        let calls = DiskCalls(rename: { path, other in
            guard other.hasSuffix("/e.mp3") else { return Glibc.rename(path, other) }
            errno = code
            return -1
        })
        let fixture = player(calls, ScratchDirectory())
        fixture.start()
        let unsaved = "cannot write to \(fixture.directory.path): \(reason)"
        #expect(await eventually { fixture.source.downloadProgress.unsavedReason == unsaved })
        // The disk may report its error before the source shows the end of the transfer.
        let downloadProgress = await fixture.finish()
        fixture.download.disk.sync {}
        #expect(downloadProgress.condition == .complete && downloadProgress.unsavedReason == unsaved)
        let isReadable = ByteSourceContract.readAll(fixture.source, bufferSize: 4096) == Self.content
        #expect(isReadable && fixture.directory.fileNames.contains("e.mp3.partial"))

        let second = DownloadFixture(in: fixture.directory)
        _ = await second.run()
        #expect(second.transport.requests.isEmpty && second.directory.fileNames == ["e.mp3"])
    }

    @Test("The message names the disk, its free space and the required space")
    func complaint() {
        let space = DiskSpace(free: 1_234_567, size: 1 << 40)
        #expect(
            DiskReserve(bytes: 800_000).complaint(space, at: "/d", needs: 4_800_000)
                == "the disk is full: /d has 1.2 MB free, but 4.8 MB and a reserve of 800 kB are needed")
        #expect(
            DiskReserve(bytes: 800_000).complaint(space, at: "/d", needs: 0)
                == "the disk is full: /d has 1.2 MB free, but a reserve of 800 kB is needed")
    }
}
