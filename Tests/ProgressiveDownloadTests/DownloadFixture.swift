// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Logging
import Media

@testable import ProgressiveDownload

/// A download over a script, with a directory and a clock of its own.
struct DownloadFixture: Sendable {
    let directory: TemporaryDirectory
    let clock = ManualClock()
    let transport: ScriptedTransport
    let download: EpisodeDownload

    init(
        in directory: TemporaryDirectory = TemporaryDirectory(), url: String = "http://a/b.mp3",
        writer: @escaping OpenFile.Writer = { pwrite($0, $1, $2, $3) }, _ answers: ScriptedTransport.Answer...
    ) {
        self.directory = directory
        transport = ScriptedTransport(answers)
        download = EpisodeDownload(
            url: url, file: DownloadLocation(directory: directory.path, name: "e.mp3"), transport: transport,
            policy: RetryPolicy(), clock: clock, logger: Logger(label: "test"), writer: writer)
    }

    var source: DownloadedByteSource { download.source }

    /// Starts, sits out every wait between tries, and returns once it is complete or failed and safe on disk.
    func run() async -> Arrival {
        download.start()
        let arrival = await finish()
        download.cancel()
        return arrival
    }

    func finish() async -> Arrival {
        while true {
            let arrival = await reach { $0.condition != .connecting && $0.condition != .receiving }
            guard case .backingOff = arrival.condition else { return arrival }
            await clock.waitForSleeper()
            clock.advance(by: .seconds(30))
            _ = await reach { $0.condition != arrival.condition }
        }
    }

    /// Returns as soon as `isReached` holds of the source's arrival.
    func reach(_ isReached: (Arrival) -> Bool) async -> Arrival {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        source.onChange { continuation.yield() }
        continuation.yield()
        for await _ in changes where isReached(source.arrival) { break }
        return source.arrival
    }
}
