// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("The sound before the target of a seek, which fades in")
struct LeadInTests {
    private static let fade = Duration.milliseconds(8)
    private static let anchor = TimeAnchor(offset: 4096, time: .seconds(2), totalLength: 65_536)

    struct Row: Sendable {
        let (target, duration, start): (TimeTarget, MediaDuration, TimeTarget)
        let (milliseconds, faded): (Int, Int)

        init(_ target: TimeTarget, _ duration: MediaDuration, _ start: TimeTarget, _ milliseconds: Int, _ faded: Int) {
            (self.target, self.duration, self.start) = (target, duration, start)
            (self.milliseconds, self.faded) = (milliseconds, faded)
        }
    }

    @Test(
        "It is a millisecond longer than the fade, and as long as the target allows",
        arguments: [
            Row(.time(.seconds(5)), .unknown, .time(.milliseconds(4991)), 9, 8),
            Row(.time(.milliseconds(4)), .unknown, .time(.zero), 4, 3),
            Row(.time(.zero), .unknown, .time(.zero), 0, 0),
            Row(.estimated(.seconds(3), from: anchor), .unknown, .estimated(.milliseconds(2991), from: anchor), 9, 8),
            Row(.fraction(0.5), .exact(.seconds(8)), .time(.milliseconds(3991)), 9, 8),
            Row(.fraction(0.5), .estimated(.seconds(8)), .fraction(0.5), 0, 8),
        ])
    func length(row: Row) {
        let leadIn = LeadIn(before: row.target, in: row.duration, fade: Self.fade)
        #expect(leadIn.start == row.start)
        #expect(leadIn.time == .milliseconds(row.milliseconds))
        #expect(leadIn.fade == .milliseconds(row.faded))
    }

    @Test(
        "While it plays, the position is the target",
        arguments: [(4980, 4980), (4991, 5000), (4999, 5000), (5000, 5000), (5001, 5001)])
    func position(milliseconds: Int, shown: Int) {
        let leadIn = LeadIn(before: .time(.seconds(5)), in: .unknown, fade: Self.fade)
        #expect(leadIn.position(at: .milliseconds(milliseconds)) == .milliseconds(shown))
    }

    @Test("A seek reads from before the target, shows the target, and is exact", arguments: [0, 100, 40_000])
    func seek(target: Int64) {
        let stage = LoopStage(longestFadeIn: Self.fade)
        stage.append(.cbr)
        stage.play(5000)
        let format = Fixture.cbr.format
        let time = format.duration(ofFrames: target)
        stage.say(.seek(.absolute(.time(time))))
        let first = stage.sink.pull(1)
        stage.work()
        let shown = stage.loop.mailbox.status.position ?? .zero
        let rest = stage.sink.pull(2000)
        let lead: Int64 = min(target, 397)
        let expected = Fixture.cbr.samples(from: target - lead)
        let played = first + rest
        #expect(played.count > 2000 && identical(played, Array(expected.prefix(played.count))))
        #expect(abs((shown - time) / .microseconds(1)) < 50, "\(shown)")
    }

    @Test("Of two seeks in a row, the second one reads from before its target, too")
    func secondSeek() {
        let stage = LoopStage(longestFadeIn: Self.fade)
        stage.append(.cbr)
        stage.play(5000)
        for frame in [40_000, 30_000] as [Int64] {
            stage.say(.seek(.absolute(.time(Fixture.cbr.format.duration(ofFrames: frame)))))
        }
        let played = stage.sink.pull(500)
        #expect(identical(played, Array(Fixture.cbr.samples(from: 30_000 - 397).prefix(1000))))
    }

    @Test("A seek during a pause is exact from its first sample")
    func pausedSeek() {
        let stage = LoopStage(longestFadeIn: Self.fade)
        stage.append(.cbr)
        stage.play(5000)
        stage.say(.pause, .seek(.absolute(.time(Fixture.cbr.format.duration(ofFrames: 40_000)))), .play)
        let played = stage.sink.pull(500)
        #expect(identical(played, Array(Fixture.cbr.samples(from: 40_000).prefix(1000))))
    }

    @Test("An output that does not fade in gets the target first")
    func exactOutput() {
        let stage = LoopStage()
        stage.append(.cbr)
        stage.play(5000)
        stage.say(.seek(.absolute(.time(Fixture.cbr.format.duration(ofFrames: 40_000)))))
        let played = stage.sink.pull(500)
        #expect(identical(played, Array(Fixture.cbr.samples(from: 40_000).prefix(1000))))
    }
}
