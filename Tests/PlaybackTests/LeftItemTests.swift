// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Playback

@Suite("Items that the listener left")
struct LeftItemTests {
    @Test("`previous` returns to the place where `next` left an episode")
    func returns() {
        let stage = LoopStage()
        stage.append(MemoryByteSource(Fixture.cbr.bytes), keepsPlace: true)
        stage.append(.vbr, 0..<5000)
        stage.say(.closePlaylist)
        stage.play(40_000)
        stage.say(.next)
        stage.play(2000)
        stage.say(.previous)
        stage.play(2000)
        let samples = stage.sink.samples
        #expect(identical(Array(samples.prefix(40_000 * 2)), Fixture.cbr.samples(from: 0, to: 40_000)))
        #expect(identical(Array(samples.suffix(2000 * 2)), Fixture.cbr.samples(from: 40_000, to: 42_000)))
    }
}
