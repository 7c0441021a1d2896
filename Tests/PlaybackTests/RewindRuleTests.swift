// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import Playback
@testable import TrackReading

@Suite("Rewind on resume")
struct RewindRuleTests {
    @Test(
        "The longer ago the listener stopped, the farther the automatic rewind",
        arguments: [
            (0, 800), (59, 800), (60, 3000), (3599, 3000), (3600, 10_000), (86_399, 10_000), (86_400, 20_000),
            (10_000_000, 20_000),
        ] as [(Int64, Int64)])
    func distance(seconds: Int64, milliseconds: Int64) {
        #expect(RewindRule.automatic.distance(after: .seconds(seconds)) == .milliseconds(milliseconds))
        #expect(RewindRule.fixed(.seconds(5)).distance(after: .seconds(seconds)) == .seconds(5))
    }

    /// A stage that has played four seconds of an item, and is paused.
    private func pausedStage(_ rule: RewindRule, _ clock: ManualClock) -> LoopStage {
        let stage = LoopStage(clock: clock)
        stage.append(MemoryByteSource(Fixture.longCBR.bytes), rewind: rule)
        stage.say(.closePlaylist)
        stage.play(4 * 44_100)
        stage.say(.pause)
        return stage
    }

    @Test(
        "After a pause, playback resumes before the place where it paused, and at the exact frame",
        arguments: [(RewindRule.automatic, 120, 1), (.automatic, 7200, 0), (.fixed(.seconds(2)), 1, 2)])
    func resumes(rule: RewindRule, away: Int, start: Int) {
        let clock = ManualClock()
        let stage = pausedStage(rule, clock)
        clock.advance(by: .seconds(away))
        stage.say(.play)
        stage.play(44_100)
        let frame = Int64(start) * 44_100
        let heard = Array(stage.sink.samples.suffix(2 * 44_100))
        #expect(identical(heard, Fixture.longCBR.samples(from: frame, to: frame + 44_100)))
    }

    @Test("Without the rule, and after a seek during the pause, playback resumes where it is", arguments: [true, false])
    func stays(isSought: Bool) {
        let clock = ManualClock()
        let stage = pausedStage(isSought ? .automatic : .fixed(.zero), clock)
        clock.advance(by: .seconds(120))
        if isSought { stage.say(.seek(.absolute(.time(.seconds(4))))) }
        stage.say(.play)
        stage.play(44_100)
        let heard = Array(stage.sink.samples.suffix(2 * 44_100))
        #expect(identical(heard, Fixture.longCBR.samples(from: 4 * 44_100, to: 5 * 44_100)))
    }

    @Test("A seek during a pause stays in effect if playback resumes while it searches for another stream")
    func resumesDuringSearch() throws {
        let file = try TrackFileCase.flacTable.file()
        let stage = LoopStage()
        let source = MemoryByteSource(file.bytes + [UInt8](repeating: 0, count: 1 << 20))
        stage.append(source, rewind: .fixed(.seconds(1)))
        stage.say(.closePlaylist)
        stage.play(2 * 48_000)
        let reader = try #require(stage.loop.openCurrent?.reader.track as? ContainerTrackReader)
        reader.nextStream = StreamSearch(file.kind, stepLength: 1)
        stage.say(.pause, .seek(.absolute(.fraction(0.5))), .play)
        #expect(stage.loop.machine.intent == .play)
        #expect(stage.loop.position == .seconds(16))
    }
}
