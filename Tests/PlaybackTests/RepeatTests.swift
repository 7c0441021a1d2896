// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Items that are repeated")
struct RepeatTests {
    @Test("An item that was played to its end begins at its beginning the next time, not at its saved position",
        arguments: [(.one, 1), (.all, 1), (.all, 2)] as [(RepeatMode, Int)])
    func repeatsFromTheBeginning(mode: RepeatMode, items: Int) {
        let stage = LoopStage()
        let place: Int64 = 30_000
        stage.say(.setRepeat(mode))
        stage.append(
            MemoryByteSource(Fixture.cbr.bytes), from: .time(Fixture.cbr.format.duration(ofFrames: place)),
            isResumed: true)
        let other = items == 1 ? [] : Fixture.vbr.samples(from: 0, to: 5000)
        if items == 2 { stage.append(.vbr, 0..<5000) }
        stage.say(.closePlaylist)
        let first = Fixture.cbr.samples(from: place) + other
        stage.play(first.count / 2 + 500)
        stage.say(.setRepeat(.off))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, first + Fixture.cbr.samples + other))
    }

    @Test(
        "An item that is repeated begins after its introduction, also if it resumed",
        arguments: [9000, 30_000] as [Int64])
    func skipsIntroduction(place: Int64) {
        let stage = LoopStage()
        let time = { (frame: Int64) in Fixture.cbr.format.duration(ofFrames: frame) }
        stage.say(.setRepeat(.one))
        stage.append(
            MemoryByteSource(Fixture.cbr.bytes), from: .time(time(place)), introduction: time(9000), isResumed: true)
        stage.say(.closePlaylist)
        let first = Fixture.cbr.samples(from: place)
        stage.play(first.count / 2 + 500)
        stage.say(.setRepeat(.off))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, first + Fixture.cbr.samples(from: 9000)))
    }

    @Test("In repeat mode \"all\", \"next\" plays the only item from its beginning, not from its saved position")
    func nextOfOne() {
        let stage = LoopStage()
        let place: Int64 = 30_000
        stage.say(.setRepeat(.all))
        stage.append(
            MemoryByteSource(Fixture.cbr.bytes), from: .time(Fixture.cbr.format.duration(ofFrames: place)),
            isResumed: true)
        stage.say(.closePlaylist)
        stage.play(500)
        stage.say(.next)
        stage.play(500)
        let wanted = Array(Fixture.cbr.samples(from: place).prefix(1000) + Fixture.cbr.samples.prefix(1000))
        #expect(identical(stage.sink.samples, wanted))
    }
}
