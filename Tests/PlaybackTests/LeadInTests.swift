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

    @Test(
        "It is a millisecond longer than the fade, and as long as the target allows",
        arguments: [
            (TimeTarget.time(.seconds(5)), TimeTarget.time(.milliseconds(4991)), 9, 8),
            (.time(.milliseconds(4)), .time(.zero), 4, 3),
            (.time(.zero), .time(.zero), 0, 0),
            (.estimated(.seconds(3), from: anchor), .estimated(.milliseconds(2991), from: anchor), 9, 8),
            (.fraction(0.5), .fraction(0.5), 0, 8),
        ])
    func length(target: TimeTarget, start: TimeTarget, milliseconds: Int, faded: Int) {
        let leadIn = LeadIn(before: target, fade: Self.fade)
        #expect(leadIn.start == start)
        #expect(leadIn.time == .milliseconds(milliseconds))
        #expect(leadIn.fade == .milliseconds(faded))
    }

    @Test(
        "While it plays, the position is the target",
        arguments: [(4980, 4980), (4991, 5000), (4999, 5000), (5000, 5000), (5001, 5001)])
    func position(milliseconds: Int, shown: Int) {
        let leadIn = LeadIn(before: .time(.seconds(5)), fade: Self.fade)
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
