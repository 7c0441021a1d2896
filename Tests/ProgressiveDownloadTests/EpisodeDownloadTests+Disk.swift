// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Logging
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// Changes to a running download by other programs and by the disk.
extension EpisodeDownloadTests {
    /// Sends seven pieces and waits.
    static let halting: Server.Answer = { request in
        let steps = Server.serve(episode(300_000))(request)
        return Array(steps.prefix(8)) + [.hold] + steps.dropFirst(8)
    }

    @Test("A file truncated during the download fails with a message and can be retried; no zeros are kept")
    func cutUnderneath() async {
        let fixture = DownloadFixture(Self.halting, Server.serve(content))
        fixture.start()
        _ = await fixture.reach { $0.extents.count == 7 * 16384 }
        _ = ByteSourceContract.read(fixture.source, at: 0, count: 10)
        truncate(fixture.download.location.partialPath, 1000)
        await fixture.resumeResponse()
        let downloadProgress = await fixture.finish()
        #expect(downloadProgress.condition == .failed(SystemError.shortened.whileTransferring))
        guard case .failed = ByteSourceContract.read(fixture.source, at: 50_000, count: 10) else {
            Issue.record("zeros were read")
            return
        }
        fixture.retry()
        #expect(await eventually { fixture.directory.fileNames == ["e.mp3"] })
        expectKept(content, fixture)
    }

    @Test("A removed file is reported when it is due to be renamed, and the open file stays readable")
    func removedUnderneath() async {
        let fixture = DownloadFixture(Self.halting, Server.serve(content))
        fixture.start()
        _ = await fixture.reach { $0.extents.count == 7 * 16384 }
        unlink(fixture.download.location.partialPath)
        await fixture.resumeResponse()
        #expect(
            await eventually {
                fixture.download.core.withLock { $0.machine.condition }
                    == .failed(SystemError.removed.whileTransferring)
            })
        #expect(!fixture.directory.fileNames.contains("e.mp3"))
        #expect(ByteSourceContract.readAll(fixture.source, bufferSize: 4096) == content)
        fixture.retry()
        #expect(await eventually { fixture.directory.fileNames == ["e.mp3"] })
        expectKept(content, fixture)
    }
}

/// A version that was played and is no longer on the server.
extension EpisodeDownloadTests {
    @Test("The played part of an earlier version is shown first, even offline, and the new version follows")
    func earlierFirst() async throws {
        let first = DownloadFixture(
            Server.serve(content, cut: 200_000), Server.serve(other, etag: "\"2\"", cut: 50_000))
        _ = await first.run()
        let second = DownloadFixture(in: first.directory)
        let calls = Atomic<Int>(0)
        second.source.onChange { calls.add(1, ordering: .relaxed) }
        second.start()
        #expect(calls.load(ordering: .relaxed) > 0, "the earlier version is reported before the new one")
        let downloadProgress = second.source.downloadProgress
        #expect(downloadProgress.condition == .failed(MediaFailure(.badData, "the episode changed on the server")))
        #expect(ByteSourceContract.violations(of: second.source, content: content, held: 200_000, isOver: true) == [])
        let successor = try #require(second.source.claimSuccessor() as? DownloadedByteSource)
        #expect(successor.downloadProgress.extents.ranges == [0..<50_000])
        second.source.close()
        successor.close()

        let third = DownloadFixture(in: first.directory, Server.serve(other, etag: "\"2\""))
        third.start()
        let last = try #require(third.source.claimSuccessor() as? DownloadedByteSource)
        _ = await last.reach { $0.condition == .complete }
        third.download.cancel()
        #expect(ByteSourceContract.violations(of: third.source, content: content, held: 200_000, isOver: true) == [])
        expectKept(other, third)
    }
}
