// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import EpisodeSources

@Suite("DownloadRetry")
struct DownloadRetryTests {
    private static let hour: Int64 = 3600

    @Test(
        "The pause is as long as the attempts so far, at least an hour and at most a day",
        arguments: [
            (0, hour), (60, hour), (hour, hour), (2 * hour, 2 * hour), (7 * hour, 7 * hour), (24 * hour, 24 * hour),
            (100 * hour, 24 * hour), (-hour, hour),
        ] as [(Int64, Int64)])
    func pause(tried: Int64, pause: Int64) {
        let next = DownloadRetry.next(
            after: UTCTime(secondsSince1970: tried), wanted: UTCTime(secondsSince1970: 0))
        #expect(next.secondsSince1970 == tried + pause)
    }
}
