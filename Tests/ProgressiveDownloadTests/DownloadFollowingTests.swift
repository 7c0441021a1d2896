// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// Following a file that another process downloads.
extension DownloadStateMachineTests {
    @Test("A file that another process downloads is followed without any request or disk access")
    func follow() {
        var dialogue = Dialogue()
        let wait = Machine.Action.scheduleRetry(1, after: Machine.followEvery)
        #expect(dialogue.machine.handle(.followed(StoredContent(), at: .zero)) == [wait])
        #expect(dialogue.machine.condition == .connecting)
        #expect(dialogue.deadline() == [.followOrTakeOver])
        _ = dialogue.machine.handle(.followed(Self.held(100, of: 300), at: .seconds(1)))
        #expect(dialogue.machine.condition == .receiving && dialogue.machine.inOrderCause == .otherProcess)
        #expect(dialogue.machine.handle(.needed(from: 200, limit: nil)) == [])
        #expect(dialogue.machine.handle(.diskFull(reason: "full")) == [])
        #expect(dialogue.machine.handle(.stopped) == [.cancelTransfer])
        #expect(dialogue.machine.stored == StoredContent())
    }

    @Test("A file that the other process releases is taken over")
    func takeOver() {
        var dialogue = Dialogue()
        _ = dialogue.machine.handle(.followed(Self.held(100, of: 300), at: .zero))
        let actions = dialogue.start(Self.held(100, of: 300))
        #expect(actions == [.startTransfer(2, .rest(from: 0, to: nil), ifRange: Self.tag)])
    }

    @Test("A file that the other process has finished is complete")
    func finishedElsewhere() {
        var dialogue = Dialogue()
        _ = dialogue.machine.handle(.followed(Self.held(100, of: 300), at: .zero))
        #expect(dialogue.machine.handle(.finishedElsewhere(Self.held(300, of: 300))) == [])
        #expect(dialogue.machine.condition == .complete)
        #expect(dialogue.deadline() == [])
    }

    @Test("If the other process stores nothing for 20 s, the condition is backing off until it stores again")
    func silence() {
        var dialogue = Dialogue()
        let held = Self.held(100, of: 300)
        for second in 0..<20 { _ = dialogue.machine.handle(.followed(held, at: .seconds(second))) }
        #expect(dialogue.machine.condition == .receiving)
        _ = dialogue.machine.handle(.followed(held, at: .seconds(20)))
        guard case .backingOff = dialogue.machine.condition else {
            Issue.record("\(dialogue.machine.condition)")
            return
        }
        _ = dialogue.machine.handle(.followed(Self.held(101, of: 300), at: .seconds(21)))
        #expect(dialogue.machine.condition == .receiving)
    }
}

@Suite("A download that another process runs", .timeLimit(.minutes(TimeLimit.factor)))
struct DownloadFollowingTests {
    private typealias Server = ScriptedTransport
    private let content = episode(300_000)

    /// Sends seven pieces of 16 KiB and waits.
    private static let halting: Server.Answer = { request in
        let steps = Server.serve(episode(300_000))(request)
        return Array(steps.prefix(8)) + [.hold] + steps.dropFirst(8)
    }

    private func follower(of other: DownloadFixture, _ answers: Server.Answer...) -> DownloadFixture {
        DownloadFixture(in: other.directory, for: .playing, answers)
    }

    /// The bytes that the journal lists: whole steps of 32 KiB.
    private let noted: Int64 = 6 * 16384

    @Test("A follower reads the stored bytes immediately, later bytes as they arrive, and the complete file at the end")
    func follow() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        // The manifest is written after the bytes.
        other.download.disk.sync {}
        let follower = follower(of: other)
        follower.start()
        let downloadProgress = await follower.reach { $0.extents.count >= noted && $0.condition == .receiving }
        #expect(downloadProgress.total == 300_000)
        let held = Int(downloadProgress.extents.count)
        #expect(ByteSourceContract.violations(of: follower.source, content: content, held: held) == [])
        await other.resumeResponse()
        _ = await follower.finish()
        #expect(ByteSourceContract.violations(of: follower.source, content: content, held: 300_000) == [])
        #expect(follower.transport.requests == [])
        #expect(follower.source.claimSuccessor() == nil)
    }

    @Test("When the other process stops, this download continues with the stored bytes")
    func takeOver() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        let follower = follower(of: other, Server.serve(content))
        follower.start()
        _ = await follower.reach { $0.extents.count >= noted }
        _ = ByteSourceContract.read(follower.source, at: 0, count: 10)
        other.source.close()
        _ = await follower.finish()
        #expect(ByteSourceContract.violations(of: follower.source, content: content, held: 300_000) == [])
        #expect(follower.transport.requests.map(\.range) == [7 * 16384 - 5003])
        #expect(follower.source.claimSuccessor() == nil)
        follower.download.cancel()
        #expect(follower.directory.fileNames == ["e.mp3"])
    }

    @Test("A follower that closes changes no file")
    func leave() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        let follower = follower(of: other)
        follower.start()
        _ = await follower.reach { $0.extents.count >= noted }
        // Only now: the other download writes its manifest and journal shortly after the bytes.
        let names = other.directory.fileNames
        follower.source.close()
        #expect(other.directory.fileNames == names)
        #expect(ByteSourceContract.violationsOnceClosed(follower.source) == [])
        await other.resumeResponse()
        _ = await other.finish()
        other.download.cancel()
        #expect(other.directory.fileNames == ["e.mp3"])
    }

    @Test("The file under its final name is recognized as the same, even if its manifest was removed first")
    func finishedBetweenLooks() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        other.download.disk.sync {}
        let follower = DownloadFixture(in: other.directory, clock: ManualClock(), for: .playing, [])
        follower.start()
        _ = await follower.reach { $0.extents.count >= noted }
        _ = ByteSourceContract.read(follower.source, at: 0, count: 10)
        unlink(other.download.location.manifestPath)
        await follower.clock.waitForSleeper()
        follower.clock.advance(by: .seconds(1))
        _ = await follower.reach { $0.total == nil }
        await other.resumeResponse()
        #expect(await eventually { other.directory.fileNames == ["e.mp3"] })
        await follower.clock.waitForSleeper()
        follower.clock.advance(by: .seconds(1))
        _ = await follower.finish()
        #expect(ByteSourceContract.violations(of: follower.source, content: content, held: 300_000) == [])
        #expect(follower.source.claimSuccessor() == nil)
    }

    @Test("If the other process replaces the version, the stored bytes of the old one are read and the new one follows")
    func replaced() async throws {
        let version = episode(280_000, seed: 2)
        let other = DownloadFixture(
            Server.serve(content, cut: 200_000),
            { [.hold] + Server.serve(version, etag: "\"2\"")($0) })
        other.start()
        _ = await other.reach { $0.extents.count == 200_000 }
        let follower = follower(of: other)
        follower.start()
        _ = await follower.reach { $0.extents.count >= 190_000 }
        _ = ByteSourceContract.read(follower.source, at: 0, count: 10)
        #expect(await eventually { other.transport.release() })
        #expect(await eventually { follower.download.core.withLock({ $0.machine.condition }) == .complete })
        let successor = try #require(follower.source.claimSuccessor())
        let old = ByteSourceContract.readAll(follower.source, bufferSize: 4096)
        #expect(old.count >= 190_000 && old == Array(content[..<old.count]))
        #expect(ByteSourceContract.readAll(successor, bufferSize: 4096) == version)
        successor.close()
    }

    @Test("A failed download lets another process continue")
    func failedLetsGo() async {
        let first = DownloadFixture(Server.serve(content, cut: 200_000))
        first.start()
        _ = await first.finish()
        first.download.disk.sync {}
        let second = DownloadFixture(in: first.directory, Server.serve(content))
        second.start()
        #expect(await second.finish().condition == .complete)
        second.download.cancel()
        #expect(second.directory.fileNames == ["e.mp3"])
        #expect(second.transport.requests.map(\.range) == [200_000 - 5003])
    }

    @Test("A download to a file fails while another process downloads it")
    func keeping() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        let second = DownloadFixture(in: other.directory, Server.serve(content))
        #expect(await second.run().condition == .failed(DownloadLocation.busy))
    }
}

@Suite("Folders without locks or directory sync")
struct MissingLockTests {
    @Test(
        "On a file system without locks, downloads run one at a time",
        arguments: [
            ENOLCK, EOPNOTSUPP, ENOSYS,
        ])
    func noLocks(code: CInt) async {
        var calls = DiskCalls()
        calls.lock = { _, _ in
            errno = code
            return -1
        }
        let content = episode(300_000)
        let silence: ScriptedTransport.Answer = { _ in [.hold] }
        let first = DownloadFixture(calls: calls, silence)
        first.start()
        let second = DownloadFixture(in: first.directory, calls: calls, ScriptedTransport.serve(content))
        #expect(await second.run().condition == .failed(DownloadLocation.busy))
        first.source.close()
        let third = DownloadFixture(in: first.directory, calls: calls, ScriptedTransport.serve(content))
        #expect(await third.run().condition == .complete)
        #expect(third.directory.fileNames == ["e.mp3"])
    }

    @Test("In a folder that cannot be synchronized, a finished download leaves only its file")
    func noFolderSync() async {
        var calls = DiskCalls()
        calls.synchronizeAll = { _ in
            errno = EINVAL
            return -1
        }
        let fixture = DownloadFixture(calls: calls, ScriptedTransport.serve(episode(300_000)))
        #expect(await fixture.run().condition == .complete)
        #expect(fixture.directory.fileNames == ["e.mp3"])
        #expect(fixture.source.downloadProgress.condition == .complete)
    }
}
