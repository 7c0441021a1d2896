// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Seeks past the downloaded data, on a sound server", .serialized, .soundLane, .needsSoundServer)
struct FarSeekTests {
    private let stage: PulseStage

    init() throws { stage = try PulseStage() }

    @Test(
        "C20 the last of two hundred seeks past the downloaded data wins, with at most two transfers")
    func manySeeks() async throws {
        let file = try TestSound(frames: 30 * 44_100).encoded("-b", "320")
        let wanted = try Frames(of: file).sounding.prefix(21 * 44_100)
        let link = try ShapedLink([file], rate: 300_000)
        let run = stage.start(link.items)
        #expect(await run.wait { $0.position > .milliseconds(100) })
        var random = SeededGenerator(seed: 20)
        for number in 0..<200 {
            let time = number == 199 ? 25_000 : Int.random(in: 0..<30_000, using: &random)
            run.player.send(.seek(.absolute(.time(.milliseconds(time)))))
            try await Task.sleep(for: .milliseconds(15))
        }
        run.player.send(.seek(.absolute(.time(.milliseconds(100)))))
        #expect(await run.wait { $0.player.isUpToDate && $0.isPlaying(within: .milliseconds(1000)..<(.seconds(20))) })
        #expect(await run.stop())
        #expect(await stage.isSilent())
        // Playback lasted at least 0.9 s after the last seek. A server on a busy machine inserts silence.
        let late = stage.recorded.sounding.suffix(22_050)
        let first = try #require(late.first)
        let places = wanted.indices.filter { wanted[$0] == first }
        #expect(places.contains { firstDifference(late, wanted[$0...].prefix(late.count)) == nil })
        #expect(late.count == 22_050)
        #expect(link.server.mostAtOnce <= 2)
    }
}
