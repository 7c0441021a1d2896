// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Logging
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

/// A download over a script, with a directory and a clock of its own.
struct DownloadFixture: Sendable {
    let directory: TemporaryDirectory
    let clock: ManualClock
    let transport: ScriptedTransport
    let download: EpisodeDownload
    private let end: End

    init(
        in directory: TemporaryDirectory = TemporaryDirectory(),
        clock: ManualClock = ManualClock(skipsWaits: true),
        calls: DiskCalls = DiskCalls(), reserve: Int64? = 0, _ answers: ScriptedTransport.Answer...
    ) {
        self.init(in: directory, clock: clock, calls: calls, reserve: reserve, answers)
    }

    init(
        in directory: TemporaryDirectory = TemporaryDirectory(),
        clock: ManualClock = ManualClock(skipsWaits: true), calls: DiskCalls = DiskCalls(), reserve: Int64? = 0,
        url: String = "http://a/b.mp3", claimedLength: Int64? = nil,
        promise: @escaping EpisodeDownload.FilePromise = { _ in nil }, for purpose: EpisodeDownload.Purpose = .keeping,
        _ answers: [ScriptedTransport.Answer]
    ) {
        self.directory = directory
        self.clock = clock
        transport = ScriptedTransport(answers)
        download = EpisodeDownload(
            HTTPRequest(url: url), file: DownloadLocation(directory: directory.path, name: "e.mp3"),
            transport: transport, claimedLength: claimedLength, promise: promise, policy: RetryPolicy(),
            clock: clock, reserve: reserve, for: purpose, logger: Logger(label: "test"), calls: calls)
        end = End(of: download)
    }

    /// A download and its source keep each other until the source is closed: here when the test has no more use of it.
    private final class End: Sendable {
        private let download: EpisodeDownload

        init(of download: EpisodeDownload) { self.download = download }

        deinit {
            download.source.close()
            // Where a test has taken the successor, the first source knows it no more.
            download.core.withLock { $0.source }.close()
        }
    }

    var source: DownloadedByteSource { download.source }

    /// Returns once it has begun.
    func start() {
        download.start()
        download.settle()
    }

    /// Returns once it has tried again.
    func retry() {
        source.retry()
        download.settle()
    }

    /// Starts, and returns once it is complete or failed and safe on disk.
    func run() async -> Arrival {
        start()
        let arrival = await finish()
        download.cancel()
        return arrival
    }

    func finish() async -> Arrival {
        await reach(\.isOver)
    }

    /// Lets a held answer go on, which may not have come to its pause yet; once, for it may have another one.
    func goOn() async {
        let before = source.arrival
        #expect(await eventually { transport.release() })
        #expect(
            await eventually {
                source.arrival.extents != before.extents || source.arrival.condition != before.condition
            })
    }

    func reach(_ isReached: (Arrival) -> Bool) async -> Arrival { await source.reach(isReached) }
}

extension DownloadedByteSource {
    /// Returns as soon as `isReached` holds of the arrival.
    func reach(_ isReached: (Arrival) -> Bool) async -> Arrival {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        onChange { continuation.yield() }
        continuation.yield()
        for await _ in changes where isReached(arrival) { break }
        return arrival
    }
}
