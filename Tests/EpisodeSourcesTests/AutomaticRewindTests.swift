// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import EpisodeSources

@Suite("Automatic rewind")
struct AutomaticRewindTests {
    @Test(
        "The longer ago the listener stopped, the farther playback rewinds",
        arguments: [
            (-5, 800), (0, 800), (59, 800), (60, 3000), (3599, 3000), (3600, 10_000), (86_399, 10_000),
            (86_400, 20_000), (.max, 20_000),
        ] as [(Int64, Int)])
    func distance(seconds: Int64, milliseconds: Int) {
        #expect(AutomaticRewind.distance(afterSeconds: seconds) == .milliseconds(milliseconds))
    }
}
