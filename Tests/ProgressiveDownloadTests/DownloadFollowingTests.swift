// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// A file that another process has.
extension DownloadStateMachineTests {
    @Test("a file that another process has is followed, and nothing is asked of the server or the disk")
    func follow() {
        var dialogue = Dialogue()
        let wait = Machine.Action.scheduleRetry(1, after: Machine.followEvery)
        #expect(dialogue.machine.handle(.followed(Holding(), at: .zero)) == [wait])
        #expect(dialogue.machine.condition == .connecting)
        #expect(dialogue.deadline() == [.followOrTakeOver])
        _ = dialogue.machine.handle(.followed(Self.held(100, of: 300), at: .seconds(1)))
        #expect(dialogue.machine.condition == .receiving && !dialogue.machine.canSkipAhead)
        #expect(dialogue.machine.handle(.needed(from: 200, rate: nil)) == [])
        #expect(dialogue.machine.handle(.diskFull(reason: "full")) == [])
        #expect(dialogue.machine.handle(.stopped) == [.cancelTransfer])
        #expect(dialogue.machine.holding == Holding())
    }

    @Test("a file that the other process lets go of is taken over")
    func takeOver() {
        var dialogue = Dialogue()
        _ = dialogue.machine.handle(.followed(Self.held(100, of: 300), at: .zero))
        let actions = dialogue.start(Self.held(100, of: 300))
        #expect(actions == [.startTransfer(2, .rest(from: 0, to: nil), ifRange: Self.tag)])
    }

    @Test("a file that the other process has finished is complete")
    func finishedElsewhere() {
        var dialogue = Dialogue()
        _ = dialogue.machine.handle(.followed(Self.held(100, of: 300), at: .zero))
        #expect(dialogue.machine.handle(.finishedElsewhere(Self.held(300, of: 300))) == [])
        #expect(dialogue.machine.condition == .complete)
        #expect(dialogue.deadline() == [])
    }

    @Test("another process that stores nothing for 20 s is shown to receive nothing, until it does")
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

@Suite("A download that another process runs", .timeLimit(.minutes(1)))
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

    /// What the journal names: whole steps of 32 KiB.
    private let noted: Int64 = 6 * 16384

    @Test("what is there is read at once, what is stored later follows, and the end is the end")
    func follow() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        let follower = follower(of: other)
        follower.start()
        let arrival = await follower.reach { $0.extents.count >= noted }
        #expect(arrival.condition == .receiving && arrival.total == 300_000)
        let held = Int(arrival.extents.count)
        #expect(ByteSourceContract.violations(of: follower.source, content: content, held: held) == [])
        await other.goOn()
        _ = await follower.finish()
        #expect(ByteSourceContract.violations(of: follower.source, content: content, held: 300_000) == [])
        #expect(follower.transport.requests == [])
        #expect(follower.source.takeSuccessor() == nil)
    }

    @Test("when the other process stops, the download goes on here with what it stored")
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
        #expect(follower.transport.requests.map(\.range) == [7 * 16384 - 4096])
        #expect(follower.source.takeSuccessor() == nil)
        follower.download.cancel()
        #expect(follower.directory.names == ["e.mp3"])
    }

    @Test("a follower that leaves takes nothing away")
    func leave() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        let names = other.directory.names
        let follower = follower(of: other)
        follower.start()
        _ = await follower.reach { $0.extents.count >= noted }
        follower.source.close()
        #expect(other.directory.names == names)
        #expect(ByteSourceContract.violationsOnceClosed(follower.source) == [])
        await other.goOn()
        _ = await other.finish()
        other.download.cancel()
        #expect(other.directory.names == ["e.mp3"])
    }

    @Test("the file is the same one under its final name, also when its manifest went first")
    func finishedBetweenLooks() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        let follower = DownloadFixture(in: other.directory, clock: ManualClock(), for: .playing, [])
        follower.start()
        _ = await follower.reach { $0.extents.count >= noted }
        _ = ByteSourceContract.read(follower.source, at: 0, count: 10)
        unlink(other.download.location.manifestPath)
        await follower.clock.waitForSleeper()
        follower.clock.advance(by: .seconds(1))
        _ = await follower.reach { $0.total == nil }
        await other.goOn()
        #expect(await eventually { other.directory.names == ["e.mp3"] })
        await follower.clock.waitForSleeper()
        follower.clock.advance(by: .seconds(1))
        _ = await follower.finish()
        #expect(ByteSourceContract.violations(of: follower.source, content: content, held: 300_000) == [])
        #expect(follower.source.takeSuccessor() == nil)
    }

    @Test("a version that the other process replaces is read to where it came, and the new one follows")
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
        let successor = try #require(follower.source.takeSuccessor())
        let old = ByteSourceContract.readAll(follower.source, bufferSize: 4096)
        #expect(old.count >= 190_000 && old == Array(content[..<old.count]))
        #expect(ByteSourceContract.readAll(successor, bufferSize: 4096) == version)
        successor.close()
    }

    @Test("a download that has failed lets another process go on")
    func failedLetsGo() async {
        let first = DownloadFixture(Server.serve(content, cut: 200_000))
        first.start()
        _ = await first.finish()
        first.download.disk.sync {}
        let second = DownloadFixture(in: first.directory, Server.serve(content))
        second.start()
        #expect(await second.finish().condition == .complete)
        second.download.cancel()
        #expect(second.directory.names == ["e.mp3"])
        #expect(second.transport.requests.map(\.range) == [200_000 - 4096])
    }

    @Test("a download that is wanted as a file says that another process has it")
    func keeping() async {
        let other = DownloadFixture(Self.halting)
        other.start()
        _ = await other.reach { $0.extents.count == 7 * 16384 }
        let second = DownloadFixture(in: other.directory, Server.serve(content))
        #expect(await second.run().condition == .failed(PartialFile.busy))
    }
}

@Suite("A folder without locks")
struct MissingLockTests {
    @Test("a folder whose file system has no locks takes downloads, one at a time", arguments: [
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
        #expect(await second.run().condition == .failed(PartialFile.busy))
        first.source.close()
        let third = DownloadFixture(in: first.directory, calls: calls, ScriptedTransport.serve(content))
        #expect(await third.run().condition == .complete)
        #expect(third.directory.names == ["e.mp3"])
    }

    @Test("a folder whose names cannot be synchronized keeps nothing beside the finished file")
    func noFolderSync() async {
        var calls = DiskCalls()
        calls.synchronizeAll = { _ in
            errno = EINVAL
            return -1
        }
        let fixture = DownloadFixture(calls: calls, ScriptedTransport.serve(episode(300_000)))
        #expect(await fixture.run().condition == .complete)
        #expect(fixture.directory.names == ["e.mp3"])
        #expect(fixture.source.arrival.condition == .complete)
    }
}
