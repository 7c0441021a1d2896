// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Changes of the sound while the device is stopped")
struct SoundChangeTests {
    @Test("Many changes of the speed during a wait for bytes do not keep playback from starting")
    func beforeTheStart() {
        let source = MemoryByteSource(Fixture.longCBR.bytes, held: 40_000, throughput: Throughput(steady: 100))
        let stage = LoopStage(clock: ManualClock())
        stage.append(source)
        stage.say(.closePlaylist)
        #expect(stage.loop.mailbox.status.activity == .loading)
        for _ in 0..<10 { stage.say(.changeSpeed(by: 0.1)) }
        #expect(stage.sink.calls.filter { $0 == .uncork }.isEmpty)
        source.release()
        stage.say(.setSpeed(1))
        stage.play(50_000)

        let samples = stage.sink.samples
        let channels = Fixture.longCBR.format.channels
        #expect(samples.count == 50_000 * channels)
        // The first frames fade in from those at the speed before.
        let start = 1000 * channels
        #expect(identical(Array(samples.dropFirst(start)), Array(Fixture.longCBR.samples[start..<50_000 * channels])))
    }
}
