// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Logging
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// A download from a scripted transport, with its own directory and clock.
struct DownloadFixture: Sendable {
    let directory: ScratchDirectory
    let clock: ManualClock
    let transport: ScriptedTransport
    let download: EpisodeDownload
    private let end: End

    init(
        in directory: ScratchDirectory = ScratchDirectory(),
        clock: ManualClock = ManualClock(skipsWaits: true),
        calls: DiskCalls = DiskCalls(), reserve: Int64? = 0, _ answers: ScriptedTransport.Answer...
    ) {
        self.init(in: directory, clock: clock, calls: calls, reserve: reserve, answers)
    }

    init(
        in directory: ScratchDirectory = ScratchDirectory(),
        clock: ManualClock = ManualClock(skipsWaits: true), calls: DiskCalls = DiskCalls(), reserve: Int64? = 0,
        url: String = "http://a/b.mp3", claimedLength: Int64? = nil,
        rules: ContentRules = ContentRules(),
        for purpose: EpisodeDownload.Purpose = .keeping,
        _ answers: [ScriptedTransport.Answer]
    ) {
        self.directory = directory
        self.clock = clock
        transport = ScriptedTransport(answers)
        download = EpisodeDownload(
            HTTPRequest(url: url), file: DownloadLocation(directory: directory.path, name: "e.mp3"),
            transport: transport, claimedLength: claimedLength, rules: rules, policy: RetryPolicy(),
            clock: clock, reserve: reserve, for: purpose, logger: Logger(label: "test"), calls: calls)
        end = End(of: download)
    }

    /// Closes the source when the test ends. A download and its source keep each other alive until the source is
    /// closed.
    private final class End: Sendable {
        private let download: EpisodeDownload

        init(of download: EpisodeDownload) { self.download = download }

        deinit {
            download.source.close()
            // After a test has taken the successor, `download.source` no longer returns the first source.
            download.core.withLock { $0.source }.close()
        }
    }

    var source: DownloadedByteSource { download.source }

    /// Starts the download and waits until the start is processed.
    func start() {
        download.start()
        download.waitForQueuedEvents()
    }

    /// Retries the download and waits until the retry is processed.
    func retry() {
        source.retry()
        download.waitForQueuedEvents()
    }

    /// Starts the download and returns when it is complete or failed and its bytes are safe on disk.
    func run() async -> DownloadProgress {
        start()
        let downloadProgress = await finish()
        download.cancel()
        return downloadProgress
    }

    func finish() async -> DownloadProgress {
        await reach(\.isOver)
    }

    /// Resumes a held response once it is on hold; only once, since the response may hold again.
    func resumeResponse() async {
        let before = source.downloadProgress
        #expect(await eventually { transport.release() })
        #expect(
            await eventually {
                source.downloadProgress.extents != before.extents
                    || source.downloadProgress.condition != before.condition
            })
    }

    func reach(_ isReached: (DownloadProgress) -> Bool) async -> DownloadProgress { await source.reach(isReached) }
}

extension DownloadedByteSource {
    /// Returns as soon as `isReached` is true of the download progress.
    func reach(_ isReached: (DownloadProgress) -> Bool) async -> DownloadProgress {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        onChange { continuation.yield() }
        continuation.yield()
        for await _ in changes where isReached(downloadProgress) { break }
        return downloadProgress
    }
}
