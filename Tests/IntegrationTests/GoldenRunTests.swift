// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("The golden run", .serialized, .soundLane, .needsSoundServer)
struct GoldenRunTests {
    /// Expects gapless playback on the sound server over a link of 48 kB/s with a round trip of 400 ms.
    private func expectGapless(_ files: [[UInt8]], atMost limit: Duration) async throws {
        let link = try ShapedLink(files, rate: 48_000, roundTrip: .milliseconds(400))
        let wanted = Frames(try files.flatMap { try Frames(of: $0).all })
        try await PulseStage.expectGapless(link.items, wanted, atMost: limit * TimeLimit.factor)
        // Each run requests each file once.
        #expect(link.server.requests.count % files.count == 0)
    }

    @Test("One recording in six parts, encoded like the demo album, plays without a gap over 48 kB/s and 400 ms")
    func album() async throws {
        let ends = [61_301, 120_007, 187_777, 243_210, 309_999, 370_001]
        let options = [["-b", "96"], ["-b", "128"], ["-V", "5"], ["-V", "2"], ["-b", "64"], ["-V", "0"]]
        let files = try TestSound(frames: 370_001).encoded(endingAt: ends, options)
        #expect(try files.map { try Frames(of: $0).all.count }.reduce(0, +) == 370_001)
        try await expectGapless(files, atMost: .seconds(30))
    }

    @Test(
        "The demo album, a minute and a half, plays without a gap over 48 kB/s and 400 ms",
        .enabled(if: LongTests.areEnabled))
    func demoAlbum() async throws {
        try await expectGapless((1...DemoEpisodes.count).map(DemoEpisodes.bytes), atMost: .seconds(150))
    }
}
