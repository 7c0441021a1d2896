// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Logging
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// Several runs of one download, and its state while bytes arrive.
extension EpisodeDownloadTests {
    @Test("After a stop, another run resumes with the stored bytes")
    func stopAndGoOn() async {
        let answer: Server.Answer = { request in
            Array(Server.serve(episode(300_000))(request).prefix(8)) + [.hold]
        }
        let first = DownloadFixture(answer)
        first.start()
        _ = await first.reach { $0.extents.count == 7 * 16384 }
        #expect(ByteSourceContract.violations(of: first.source, content: content, held: 7 * 16384) == [])
        first.source.close()
        #expect(ByteSourceContract.violationsOnceClosed(first.source) == [])
        #expect(first.directory.fileNames == ["e.mp3.partial", "e.mp3.partial.json"])

        let second = DownloadFixture(in: first.directory, Server.serve(content))
        _ = await second.run()
        #expect(second.transport.requests.map(\.range) == [7 * 16384 - 5003])
        expectKept(content, second)
    }

    @Test("The same download can be stopped and started again")
    func restart() async {
        let answer: Server.Answer = { request in
            Array(Server.serve(episode(300_000))(request).prefix(8)) + [.hold]
        }
        let fixture = DownloadFixture(answer, Server.serve(content))
        fixture.start()
        _ = await fixture.reach { $0.extents.count == 7 * 16384 }
        _ = ByteSourceContract.read(fixture.source, at: 0, count: 10)
        fixture.download.cancel()
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete)
        expectKept(content, fixture)
    }

    @Test("After a stop, a queued retry starts nothing")
    func retryAfterStop() async {
        let fixture = DownloadFixture(Self.halting, Server.serve(content))
        fixture.start()
        _ = await fixture.reach { $0.extents.count == 7 * 16384 }
        fixture.download.cancel()
        fixture.retry()
        #expect(fixture.transport.requests.count == 1)
    }

    @Test("A download without any length is complete but unverified, and the next run verifies it")
    func unverified() async {
        let first = DownloadFixture(Server.serve(content, length: false))
        let downloadProgress = await first.run()
        #expect(downloadProgress.condition == .complete && downloadProgress.unverified != nil)
        #expect(first.directory.fileNames == ["e.mp3.partial", "e.mp3.partial.json"])
        first.source.close()
        first.download.core.withLock { $0.file?.release() }

        let second = DownloadFixture(in: first.directory, Server.serve(content))
        #expect(await second.run().unverified == nil)
        #expect(second.transport.requests.map(\.range) == [300_000 - 5003])
        expectKept(content, second)
    }

    @Test("A second download of the same file fails because the first is running")
    func twice() async {
        let silence: Server.Answer = { _ in [.hold] }
        let first = DownloadFixture(silence)
        first.start()
        let second = DownloadFixture(in: first.directory, Server.serve(content))
        let downloadProgress = await second.run()
        let expected = MediaFailure(.temporary, "another earshot process is downloading it")
        #expect(downloadProgress.condition == .failed(expected))
        #expect(second.transport.requests == [])
        first.source.close()
    }

    @Test("An unwritable directory is reported immediately")
    func unwritable() async throws {
        let directory = ScratchDirectory()
        let path = directory.path + "/file"
        try directory.write([], to: "file")
        let download = EpisodeDownload(
            HTTPRequest(url: "http://a/b"), file: DownloadLocation(directory: path, name: "e.mp3"),
            transport: ScriptedTransport([]), logger: Logger(label: "test"))
        download.start()
        download.waitForQueuedEvents()
        guard case .failed(let failure) = download.source.downloadProgress.condition else {
            Issue.record("the download did not fail")
            return
        }
        #expect(failure.kind == .cannotCreate)
        download.source.close()
    }

    @Test("The change handler runs outside every lock and may read")
    func handlerMayRead() async {
        let fixture = DownloadFixture(Server.serve(content))
        let calls = Atomic<Int>(0)
        await withCheckedContinuation { done in
            let once = Atomic<Bool>(false)
            fixture.source.onChange {
                calls.add(1, ordering: .relaxed)
                _ = ByteSourceContract.read(fixture.source, at: 0, count: 10)
                guard fixture.source.downloadProgress.condition == .complete else { return }
                if !once.exchange(true, ordering: .relaxed) { done.resume() }
            }
            fixture.start()
        }
        #expect(calls.load(ordering: .relaxed) >= 300_000 / 16384)
        fixture.source.close()
    }

    @Test("Throughput is measured on the download's clock")
    func throughput() async {
        let answer: Server.Answer = { request in
            let steps = Server.serve(episode(300_000), chunk: 100_000)(request)
            return [steps[0], steps[1], .hold, steps[2], .hold]
        }
        let fixture = DownloadFixture(clock: ManualClock(), answer)
        fixture.start()
        _ = await fixture.reach { $0.extents.count == 100_000 }
        #expect(fixture.source.downloadProgress.bytesPerSecond == nil)
        fixture.clock.advance(by: .seconds(2))
        await fixture.resumeResponse()
        // The bytes are readable a moment before they are counted.
        let downloadProgress = await fixture.reach { $0.extents.count == 200_000 && $0.bytesPerSecond != 50_000 }
        #expect(downloadProgress.bytesPerSecond == 100_000)
        fixture.source.close()
    }
}
