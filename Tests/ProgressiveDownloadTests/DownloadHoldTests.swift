// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Logging
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// The state machine on a full disk.
extension DownloadStateMachineTests {
    @Test("On a full disk the transfer ends and is saved, and it resumes when there is space")
    func hold() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "300", "etag": "\"1\""])
        _ = dialogue.body(100)
        let held = Self.held(100, of: 300)
        #expect(
            dialogue.machine.handle(.diskFull(reason: "full"))
                == [.cancelTransfer, .save(held), .scheduleRetry(2, after: .seconds(2))])
        #expect(dialogue.machine.condition == .held(reason: "full"))
        #expect(dialogue.machine.missing == 200)
        #expect(dialogue.deadline() == [.checkDiskSpace(2, in: 100..<300)])
        #expect(
            dialogue.machine.handle(.diskSpaceChecked(2, isThere: false)) == [.scheduleRetry(3, after: .seconds(2))])
        #expect(dialogue.deadline() == [.checkDiskSpace(3, in: 100..<300)])
        let actions = dialogue.machine.handle(.diskSpaceChecked(3, isThere: true))
        #expect(actions == [.startTransfer(4, .rest(from: 0, to: nil), ifRange: Self.tag)])
    }

    @Test("A transfer held before the first byte knows the missing length and can be stopped")
    func holdBeforeFirstByte() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "300"])
        #expect(
            dialogue.machine.handle(.diskFull(reason: "full")) == [
                .cancelTransfer, .scheduleRetry(2, after: .seconds(2)),
            ])
        #expect(dialogue.machine.missing == 300)
        #expect(dialogue.machine.handle(.needed(from: 200, limit: nil)) == [])
        #expect(dialogue.machine.handle(.stopped) == [.cancelTransfer, .discard])
    }
}

@Suite("A full disk", .timeLimit(.minutes(TimeLimit.factor)))
struct DownloadHoldTests {
    private typealias Server = ScriptedTransport
    private let content = episode(300_000)

    /// A disk on which a file has at most `limit` bytes.
    private final class SmallDisk: Sendable {
        let limit: Atomic<Int>
        let code: CInt

        init(_ limit: Int, _ code: CInt = ENOSPC) {
            self.limit = Atomic(limit)
            self.code = code
        }

        var calls: DiskCalls {
            DiskCalls(write: { [self] descriptor, bytes, count, offset in
                let room = limit.load(ordering: .relaxed) - offset
                guard room > 0 else {
                    errno = code
                    return -1
                }
                return pwrite(descriptor, bytes, min(count, room), offset)
            })
        }
    }

    private func isKept(_ fixture: DownloadFixture) -> Bool {
        fixture.directory.fileNames == ["e.mp3"] && fixture.directory.read("e.mp3") == content
    }

    @Test(
        "A write to a full disk holds the download; its bytes stay readable, and it resumes when there is space",
        arguments: [
            (ENOSPC, "the disk is full"), (EDQUOT, "your disk quota is used up"),
            (EFBIG, "the file has reached the largest size that its file system or \"ulimit -f\" allows"),
        ] as [(CInt, String)])
    func full(code: CInt, reason: String) async {
        let disk = SmallDisk(100_000, code)
        let fixture = DownloadFixture(
            clock: ManualClock(), calls: disk.calls, Server.serve(content), Server.serve(content))
        fixture.start()
        let downloadProgress = await fixture.reach(\.condition.isHeld)
        #expect(downloadProgress.extents.count >= 90_000)
        #expect(downloadProgress.condition == .held(reason: "\(reason): \(fixture.directory.path)"))
        let held = Int(downloadProgress.extents.count)
        #expect(ByteSourceContract.violations(of: fixture.source, content: content, held: held) == [])
        // The download checks the disk and sends no request.
        for _ in 0..<3 {
            await fixture.clock.waitForSleeper()
            fixture.clock.advance(by: .seconds(2))
        }
        await fixture.clock.waitForSleeper()
        #expect(fixture.transport.requests.count == 1)
        disk.limit.store(.max, ordering: .relaxed)
        fixture.clock.advance(by: .seconds(2))
        _ = await fixture.finish()
        fixture.download.cancel()
        #expect(isKept(fixture) && fixture.transport.requests.count == 2)
    }

    @Test("A retry checks the disk immediately")
    func retry() async {
        let disk = SmallDisk(100_000)
        let fixture = DownloadFixture(
            clock: ManualClock(), calls: disk.calls, Server.serve(content), Server.serve(content))
        fixture.start()
        _ = await fixture.reach(\.condition.isHeld)
        fixture.retry()
        #expect(fixture.source.downloadProgress.condition.isHeld)
        disk.limit.store(.max, ordering: .relaxed)
        fixture.retry()
        _ = await fixture.finish()
        fixture.download.cancel()
        #expect(isKept(fixture))
        #expect(await eventually { fixture.clock.sleepers == 0 }, "no task waits for the next disk check")
    }

    @Test("The bytes of a held download survive the end of the process")
    func endsWhileFull() async {
        let first = DownloadFixture(clock: ManualClock(), calls: SmallDisk(100_000).calls, Server.serve(content))
        first.start()
        _ = await first.reach(\.condition.isHeld)
        first.source.close()
        let second = DownloadFixture(in: first.directory, Server.serve(content))
        _ = await second.run()
        #expect((second.transport.requests[0].range ?? 0) > 80_000)
        #expect(isKept(second))
    }

    @Test(
        "The reserve holds a download that does not fit before its first byte; the download resumes above the reserve")
    func reserve() async {
        let free = Atomic<Int64>(1_100_000)
        let calls = DiskCalls(space: { _ in DiskSpace(free: free.load(ordering: .relaxed), size: 10_000_000) })
        let fixture = DownloadFixture(
            clock: ManualClock(), calls: calls, reserve: 800_008, Server.serve(content), Server.serve(content))
        fixture.start()
        let downloadProgress = await fixture.reach(\.condition.isHeld)
        #expect(downloadProgress.extents.isEmpty && downloadProgress.total == 300_000)
        for room in [Int64(1_100_008), 1_200_008, 1_200_009] {
            await fixture.clock.waitForSleeper()
            #expect(fixture.transport.requests.count == 1)
            free.store(room, ordering: .relaxed)
            fixture.clock.advance(by: .seconds(2))
        }
        _ = await fixture.finish()
        fixture.download.cancel()
        #expect(isKept(fixture))
    }

    @Test("The reserve is 256 MiB, or a twentieth of a smaller file system, or the configured number of bytes")
    func reserves() {
        let (large, small) = (DiskReserve(bytes: nil), DiskReserve(bytes: nil))
        #expect(large.allows(5, in: DiskSpace(free: 5 + 256 << 20, size: 1 << 40)))
        #expect(!large.allows(6 << 20, in: DiskSpace(free: 5 + 256 << 20, size: 1 << 40)))
        #expect(small.allows(5, in: DiskSpace(free: 105, size: 2000)))
        #expect(!small.allows(6, in: DiskSpace(free: 105, size: 2000)))
        // A shortage of 0 means that a held download may resume.
        let space = DiskSpace(free: 100, size: 2000)
        let reserve = DiskReserve(bytes: 80)
        #expect(reserve.shortage(for: 10, in: space) == 0 && reserve.allowsAgain(10, in: space))
        #expect(reserve.shortage(for: 11, in: space) == 1 && !reserve.allowsAgain(11, in: space))
        #expect(reserve.shortage(for: .max, in: space) == 1990)
        #expect(DiskReserve(bytes: 7).allows(98, in: DiskSpace(free: 105, size: 2000)))
        let here = DiskSpace.of("/tmp")
        #expect(here.map { $0.free >= 0 && $0.size > 0 } == true)
        #expect(DiskSpace.of("/nonexistent") == nil)
    }

    @Test(
        "A read-only or broken disk fails with a message, and the download can be retried",
        arguments: [
            (EROFS, "the file system is read-only"), (EIO, "the disk reported an error (input/output error)"),
            (EACCES, "the disk reported an error (permission denied)"),
        ])
    func broken(code: CInt, reason: String) async {
        let disk = SmallDisk(100_000, code)
        let fixture = DownloadFixture(calls: disk.calls, Server.serve(content), Server.serve(content))
        fixture.start()
        let downloadProgress = await fixture.finish()
        #expect(downloadProgress.condition == .failed(MediaFailure(.inputOutput, reason)))
        #expect(ByteSourceContract.readAll(fixture.source, bufferSize: 4096).count >= 80_000)
        disk.limit.store(.max, ordering: .relaxed)
        fixture.retry()
        _ = await fixture.finish()
        fixture.download.cancel()
        #expect(isKept(fixture))
    }

    @Test("A retry of playback stores in the folder again if it can be written and no byte is in memory")
    func writableAgain() async {
        let directory = ScratchDirectory()
        _ = await DownloadFixture(in: directory, Server.serve(content, cut: 200_000)).run()
        let isBack = Atomic<Bool>(false)
        let calls = DiskCalls(open: { path, flags, mode in
            let isRefused = flags & O_ACCMODE != O_RDONLY && !isBack.load(ordering: .relaxed)
            errno = EROFS
            return isRefused ? -1 : Glibc.open(path, flags, mode)
        })
        let answer: Server.Answer = { [content] request in
            isBack.load(ordering: .relaxed) ? Server.serve(content)(request) : Server.status(404)(request)
        }
        let fixture = DownloadFixture(
            in: directory, calls: calls, for: .playing, Array(repeating: answer, count: 100))
        fixture.start()
        let failed = await fixture.finish()
        #expect(failed.condition != .complete && failed.extents.count == 200_000)
        isBack.store(true, ordering: .relaxed)
        fixture.retry()
        _ = await fixture.finish()
        fixture.download.cancel()
        #expect(isKept(fixture))
    }

    @Test("A whole part in a folder that cannot be written is complete, and not kept")
    func wholeUnwritablePart() async throws {
        let directory = ScratchDirectory()
        let location = DownloadLocation(directory: directory.path, name: "e.mp3")
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        let isStored = try content.withUnsafeBytes { try file.store($0, at: 0) }
        try file.save(StoredContent(entity: Representation(total: 300_000)))
        file.releaseLock()
        let calls = DiskCalls(open: { path, flags, mode in
            errno = EROFS
            return flags & O_ACCMODE == O_RDONLY ? Glibc.open(path, flags, mode) : -1
        })
        let fixture = DownloadFixture(in: directory, calls: calls, for: .playing, [])
        let downloadProgress = await fixture.run()
        let reason = "cannot write to \(directory.path): read-only file system"
        #expect(isStored && downloadProgress.condition == .complete)
        #expect(fixture.source.downloadProgress.condition == .complete)
        #expect(fixture.source.downloadProgress.unsavedReason == reason && fixture.transport.requests.isEmpty)
    }

    @Test("A removed directory fails with a message, and the open file stays readable")
    func directoryRemoved() async {
        let fixture = DownloadFixture(EpisodeDownloadTests.halting, Server.serve(content))
        fixture.start()
        _ = await fixture.reach { $0.extents.count == 7 * 16384 }
        _ = ByteSourceContract.read(fixture.source, at: 0, count: 1)
        // The manifest is written after the bytes.
        fixture.download.disk.sync {}
        for name in fixture.directory.fileNames { unlink(fixture.directory.path + "/" + name) }
        rmdir(fixture.directory.path)
        await fixture.resumeResponse()
        #expect(
            await eventually {
                fixture.download.core.withLock { $0.machine.condition }
                    == .failed(SystemError.removed.whileTransferring)
            })
        #expect(ByteSourceContract.readAll(fixture.source, bufferSize: 4096) == content)
        fixture.retry()
        #expect(await eventually { isKept(fixture) })
    }
}

extension DownloadProgress.Condition {
    /// True if the download waits for disk space.
    fileprivate var isHeld: Bool {
        if case .held = self { true } else { false }
    }
}
